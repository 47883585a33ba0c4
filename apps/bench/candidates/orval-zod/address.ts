/** Where the generated code reads the address of the service: see `orval.config.mjs`. */
export const address = { url: 'https://api.multilocal.test/api/v2' };
