export default {
  input: '../openapi.json',
  output: 'generated',
  plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
};
