export default {
  input: '../openapi.json',
  output: 'generated',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', 'zod', { name: '@hey-api/sdk', validator: 'zod' }],
};
