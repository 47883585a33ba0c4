import ky from 'ky';
import { articleConfirmationSchema, articleListSchema, articleSchema } from './schemas';

export function connect(baseUrl: string, apiKey: string) {
  const api = ky.create({ prefix: `${baseUrl}/api/v2`, headers: { 'X-API-Key': apiKey } });
  return {
    list: (searchParams: Record<string, string>) => api.get('articles', { searchParams }).json(articleListSchema),
    get: (id: number) => api.get(`articles/${id}`).json(articleSchema),
    confirm: (id: number, rendered_url: string) =>
      api.post(`articles/${id}/confirm`, { json: { rendered_url } }).json(articleConfirmationSchema),
  };
}
