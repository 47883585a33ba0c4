import type { Service } from './store.js';

export interface Reply {
  readonly status: number;
  /** Sent as JSON. Faults and files send something else, as `text`. */
  readonly body?: unknown;
  readonly text?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether a test chose the body. Then deviations leave it as it is. */
  readonly isGiven?: boolean;
}

export const ok = (body: unknown): Reply => ({ status: 200, body });
export const created = (body: unknown): Reply => ({ status: 201, body });
export const accepted = (body: unknown): Reply => ({ status: 202, body });

/** An error that a handler throws. It becomes `{ detail, … }` with the status. */
export class HttpError extends Error {
  readonly reply: Reply;

  constructor(status: number, detail: string, fields: object = {}, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.name = 'HttpError';
    this.reply = { status, body: { detail, ...fields }, headers };
  }
}

const refusal = (status: number) => (detail: string) => new HttpError(status, detail);
export const badRequest = refusal(400);
export const unauthorized = refusal(401);
export const forbidden = refusal(403);
export const notFound = refusal(404);
export const conflict = refusal(409);
export const gone = refusal(410);
export const unprocessable = refusal(422);

/** Texts for statuses that only faults produce, and for faults without a text. */
const DEFAULT_DETAILS: Readonly<Record<number, string>> = {
  400: 'Requête invalide.',
  401: 'Clé API invalide.',
  403: 'Permission insuffisante.',
  404: 'Ressource introuvable.',
  409: "Conflit avec l'état actuel de la ressource.",
  410: "Cette ressource n'existe plus chez le fournisseur.",
  422: 'Données invalides.',
  429: 'Limite de requêtes dépassée.',
  500: 'Erreur interne du serveur.',
  502: 'Un service externe a échoué.',
  503: 'Service indisponible.',
};
export const defaultDetail = (status: number): string => DEFAULT_DETAILS[status] ?? `Erreur ${status}.`;

/** Only the articles routes allow other origins. */
const isArticlesPath = (path = ''): boolean => /^\/articles(\/|$)/.test(path);

/** The response to an OPTIONS request. It allows only the two headers that the API itself needs. */
export function preflightReply(path: string | undefined): Reply | undefined {
  if (!isArticlesPath(path)) return undefined;
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': 'GET, POST, PUT',
      'access-control-allow-headers': 'x-api-key, content-type',
      'access-control-max-age': '600',
    },
  };
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

export function toResponse(reply: Reply, path: string | undefined): Response {
  const headers = new Headers(isArticlesPath(path) ? { 'access-control-allow-origin': '*' } : {});
  const text = reply.text ?? (reply.body === undefined ? undefined : JSON.stringify(reply.body));
  const body = WITHOUT_BODY.has(reply.status) ? undefined : text;
  if (body !== undefined) headers.set('content-type', reply.text === undefined ? 'application/json' : 'text/plain');
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, value);
  return new Response(body ?? null, { status: reply.status, headers });
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The folder of all files, below the prefix of the base URL. */
export const FILES = '/files';

/** Serves a file by its name. `undefined` if there is none. */
export type Folder = (service: Service, name: string) => Reply | undefined;

export const file = (content: string | Uint8Array<ArrayBuffer>, type: string): Reply => ({
  status: 200,
  text: content,
  headers: { 'content-type': type },
});
