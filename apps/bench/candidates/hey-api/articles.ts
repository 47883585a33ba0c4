import { client } from './generated/client.gen';

export { articlesConfirm, articlesGet, articlesList } from './generated/sdk.gen';

export function connect(baseUrl: string, apiKey: string) {
  client.setConfig({ baseUrl: `${baseUrl}/api/v2`, auth: apiKey });
}
