export function connect(baseUrl: string, apiKey: string) {
  const send = async (path: string, init?: RequestInit) => {
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' };
    const response = await fetch(`${baseUrl}/api/v2${path}`, { ...init, headers });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return response.json();
  };
  return {
    list: (query: Record<string, string>) => send(`/articles?${new URLSearchParams(query)}`),
    get: (id: number) => send(`/articles/${id}`),
    confirm: (id: number, rendered_url: string) =>
      send(`/articles/${id}/confirm`, { method: 'POST', body: JSON.stringify({ rendered_url }) }),
  };
}
