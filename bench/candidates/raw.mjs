/** Only the request, the check of its status, and the parsing of its response. */
export function connect({ baseUrl, apiKey }) {
  const get = async (path) => {
    const response = await fetch(`${baseUrl}/api/v2${path}`, { headers: { 'X-API-Key': apiKey } });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return JSON.parse(await response.text());
  };
  return {
    article: (id) => get(`/articles/${id}`),
    posts: () => get('/posts?limit=100'),
    articles: (updated_since) => get(`/articles?status=all&updated_since=${encodeURIComponent(updated_since)}`),
  };
}
