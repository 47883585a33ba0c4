export default {
  client: {
    input: '../openapi.json',
    output: {
      target: 'generated/client.ts',
      schemas: { path: 'generated/schemas', type: 'zod' },
      client: 'fetch',
      // An expression that the generated code evaluates at each call.
      baseUrl: { runtime: 'globalThis.API_URL' },
      override: {
        fetch: { includeHttpResponseReturnType: false, forceSuccessResponse: true, runtimeValidation: true },
      },
    },
  },
};
