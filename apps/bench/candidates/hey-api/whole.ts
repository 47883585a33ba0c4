export { client } from './generated/client.gen';
export * from './generated/sdk.gen';
