export default {
  client: {
    input: '../openapi.json',
    output: {
      target: 'generated/client.ts',
      schemas: { path: 'generated/schemas', type: 'zod' },
      client: 'fetch',
      // An expression that the generated code evaluates at each call.
      baseUrl: { runtime: 'address.url', imports: [{ name: 'address', importPath: '../address' }] },
      override: {
        fetch: { includeHttpResponseReturnType: false, forceSuccessResponse: true, runtimeValidation: true },
      },
    },
  },
};
