export default {
  input: '../openapi.json',
  output: 'generated',
  plugins: ['@hey-api/client-ky', '@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: 'zod' }],
};
