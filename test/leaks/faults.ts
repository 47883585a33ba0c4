import { EMAIL, PHONE, PREFIX, SECRET } from './find.js';

export type Fault = (request: Request) => Response | Promise<Response>;

const json = (body: unknown, status: number, headers: Record<string, string> = {}): Fault => {
  return () => Response.json(body, { status, headers });
};
const text = (body: string, status: number, type = 'text/html'): Fault => {
  return () => new Response(body, { status, headers: { 'content-type': type } });
};

/** Faults in which the service says nothing of what it was sent. */
export const SILENT: Readonly<Record<string, Fault>> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 410, 422, 500, 503].map((status) => [status, json({ detail: 'non' }, status)]),
  ),
  'a 429': json({ detail: 'Trop de requêtes.' }, 429, { 'retry-after': '9999' }),
  'a monthly quota': json({ detail: 'Quota mensuel de SMS atteint.' }, 429),
  'HTML with 502': text('<h1>Bad gateway</h1>', 502),
  'HTML with 200': text('<h1>Bonjour</h1>', 200),
  'nothing with 200': text('', 200),
  'half a JSON': text('{"id": 1, "title"', 200, 'application/json'),
  'another shape': json({ id: [], articles: 1, queued: 'x' }, 200),
  'a number': json(4, 200),
  'a redirect': () => new Response(null, { status: 307, headers: { location: 'https://elsewhere.test/x' } }),
  'a refused connection': () => {
    throw new TypeError('fetch failed', {
      cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
    });
  },
  'a connection that breaks': () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }) });
  },
  'a body that breaks': () => {
    return new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"id"'));
          controller.error(new TypeError('terminated'));
        },
      }),
    );
  },
  'no answer in time': (request) => {
    return new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(request.signal.reason)));
  },
  'an error with the whole request on it': async (request) => {
    const body = await request.clone().text();
    const headers = Object.fromEntries(request.headers);
    throw Object.assign(new Error('boom', { cause: { request, headers } }), {
      request,
      headers,
      body,
      config: { body, headers },
    });
  },
};

const FORMS: Readonly<Record<string, string>> = {
  'as it is': SECRET,
  'percent-encoded': encodeURIComponent(SECRET),
};

/** Faults in which the service repeats the key, in each form and wherever it can. */
export const ECHOES: Readonly<Record<string, Fault>> = Object.fromEntries(
  Object.entries(FORMS).flatMap(([form, key]): [string, Fault][] => {
    const headers = { 'x-echo': key, 'set-cookie': `k=${key}`, location: `https://b.test/${key}` };
    return [
      [`401 and the key ${form}`, json({ detail: `Clé ${key} invalide`, request: { [key]: [key] } }, 401, headers)],
      [
        `422 and the key ${form}`,
        json({ detail: [{ loc: ['header', key], msg: `non: ${key}`, input: key }] }, 422, headers),
      ],
      [`404 and the key ${form}`, json({ detail: `Établissement introuvable : ${key}` }, 404)],
      [`502 and the key ${form}`, text(`<pre>X-API-Key: ${key}\n</pre>`, 502)],
      [`a long 500 and the key ${form}`, json({ detail: `${'x'.repeat(500 - PREFIX.length - 12)}${key}` }, 500)],
      [`a redirect and the key ${form}`, () => new Response(null, { status: 302, headers })],
      [`200 and the key ${form}`, json({ id: key, [key]: { articles: key }, queued: key, message: key }, 200, headers)],
      [`broken JSON and the key ${form}`, text(`{"key": "${key}", `, 200, 'application/json')],
      [
        `a thrown error and the key ${form}`,
        () => Promise.reject(new TypeError(`bad header ${key}`, { cause: new Error(key) })),
      ],
    ];
  }),
);

/** Faults in which the service repeats the contacts of a review request. */
export const CONTACT_ECHOES: Readonly<Record<string, Fault>> = {
  'a 422 as FastAPI writes it': json(
    {
      detail: [
        { type: 'value_error', loc: ['body', 'contacts', 0, 'customer_phone'], msg: 'Value error', input: PHONE },
        { type: 'value_error', loc: ['body', 'contacts', 1, 'customer_email'], msg: 'Value error', input: EMAIL },
      ],
    },
    422,
  ),
  'a 400 whose text names them': json({ detail: `Numéro ${PHONE} ou adresse ${EMAIL} invalide.` }, 400),
  'a 500 that dumps the request': text(
    `Traceback\n body={"contacts":[{"customer_phone":"${PHONE}"},"${EMAIL}"]}`,
    500,
    'text/plain',
  ),
  'a 200 that is not what was expected': json(
    {
      queued: true,
      queued_count: null,
      batch_id: 'b',
      contacts: [
        { channel: 'sms', contact: PHONE },
        { channel: 'email', contact: EMAIL },
      ],
    },
    200,
  ),
  'a preview that shows none': json(
    { queued: true, contacts: [{ channel: 'sms', contact: PHONE }, { contact: EMAIL }] },
    200,
  ),
  'a header': json({ detail: 'non' }, 400, { 'x-echo': `${PHONE} ${EMAIL}` }),
};
