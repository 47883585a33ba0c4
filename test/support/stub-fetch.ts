/** One request, as the fetch of the client's options saw it. */
export interface Seen {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal;
  request: Request;
  /** The second argument of `fetch`, as it came. */
  init: Record<string, unknown>;
}

export type Reply = (seen: Seen, index: number) => Response | Promise<Response>;

export interface StubFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly calls: Seen[];
}

/** A `fetch` that answers from a script, in order; the last reply goes on answering. */
export function stubFetch(...script: Reply[]): StubFetch {
  const calls: Seen[] = [];
  const fetch = async (input: string | URL | Request, init: RequestInit = {}) => {
    const request = new Request(input, init);
    const seen: Seen = {
      url: new URL(request.url),
      method: request.method,
      headers: Object.fromEntries(request.headers),
      body: request.body === null ? undefined : await request.clone().text(),
      signal: init.signal ?? request.signal,
      request,
      init: { ...init },
    };
    const index = calls.push(seen) - 1;
    const reply = script[Math.min(index, script.length - 1)];
    if (!reply) throw new Error('the stub has no reply');
    return reply(seen, index);
  };
  return Object.assign(fetch, { calls });
}

/** Answer with JSON. */
export function json(body: unknown, init: ResponseInit & { headers?: Record<string, string> } = {}): Reply {
  return () =>
    new Response(JSON.stringify(body), {
      ...init,
      headers: { 'content-type': 'application/json', ...init.headers },
    });
}

/** Answer with a status, a French `detail` and headers. */
export function refuse(status: number, detail: unknown = 'non', headers: Record<string, string> = {}): Reply {
  return json({ detail }, { status, headers });
}

/** Answer with a body as it is. */
export function raw(body: BodyInit | null, init: ResponseInit = {}): Reply {
  return () => new Response(body, init);
}

/** Fail as Node's fetch does, with a code behind it. */
export function fail(code: string, message = 'fetch failed'): Reply {
  return () => {
    throw new TypeError(message, { cause: Object.assign(new Error(`connect ${code}`), { code }) });
  };
}

/** Never answer; end with the signal's reason, as fetch does. */
export const hang: Reply = ({ signal }) =>
  new Promise((_, reject) => {
    const end = () => reject(signal.reason);
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

/** Never responds and ignores the signal. */
export const deaf: Reply = () => new Promise(() => {});
