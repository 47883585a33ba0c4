export default {
  input: '../openapi.json',
  output: 'generated',
  plugins: [
    '@hey-api/client-fetch',
    '@hey-api/typescript',
    { name: 'zod', compatibilityVersion: 'mini' },
    { name: '@hey-api/sdk', validator: 'zod' },
  ],
};
