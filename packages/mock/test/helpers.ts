import { spec } from '@multilocal/test/spec/endpoints';
import { beforeEach, expect } from 'vitest';
import { createMockApi, type MockApi, type MockApiOptions, type MockArticle, type MockControl } from '../src/index.js';

/** Saturday, in the middle of a month: no test crosses a month by accident. */
export const NOW = '2026-11-14T09:30:00Z';

export let api: MockApi;

/** Each test of the file has a new mock, `api`. */
export const freshApi = (options: MockApiOptions = {}): void =>
  beforeEach(() => {
    api = createMockApi({ now: NOW, ...options });
  });

/** The sample of an operation in the table of the specification, as a request with these changes. */
export function sampleOf(operation: string, changes: Record<string, unknown> = {}) {
  const { method, path, sample } = spec.find((row) => row.operation === operation) ?? expect.unreachable();
  const names = path.match(/\{\w+\}/g) ?? [];
  const filled = names.reduce((at, name, index) => at.replace(name, encodeURIComponent(`${sample[index]}`)), path);
  const body: Record<string, unknown> = { ...Object(sample[names.length]), ...changes };
  const query = method === 'GET' ? `?${new URLSearchParams(body as Record<string, string>)}` : '';
  return { line: `${method} ${filled}${query}`, body };
}

export interface CallOptions {
  key?: string | null;
  body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  text?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** One request straight into the mock, with the sphere key and JSON unless told otherwise. */
export function send(api: MockControl, line: string, options: CallOptions = {}): Promise<Response> {
  const [method = 'GET', target = '/'] = line.split(' ');
  const { key = api.keys.sphere, body, text, headers = {}, signal } = options;
  const writes = method === 'POST' || method === 'PUT';
  return api.handle(
    new Request(`${api.baseUrl}/api/v2${target}`, {
      method,
      headers: {
        ...(key === null ? {} : { 'x-api-key': key }),
        ...(writes ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(writes ? { body: text ?? JSON.stringify(body ?? {}) } : {}),
      ...(signal === undefined ? {} : { signal }),
    }),
  );
}

export interface Answer {
  status: number;
  // Wire values: the tests say what they must be.
  body: Record<string, unknown>;
}

export async function call(api: MockControl, line: string, options: CallOptions = {}): Promise<Answer> {
  const response = await send(api, line, options);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

export async function callList(api: MockControl, line: string, options: CallOptions = {}) {
  const response = await send(api, line, options);
  return (await response.json()) as Record<string, unknown>[];
}

export interface Page {
  articles: MockArticle[];
  total: number;
  limit: number;
  offset: number;
}

export async function page(api: MockControl, query: Record<string, string> = {}, options: CallOptions = {}) {
  const response = await send(api, `GET /articles?${new URLSearchParams(query)}`, options);
  return (await response.json()) as Page;
}

export const idsOf = (items: readonly { id: unknown }[]): unknown[] => items.map(({ id }) => id);

// From the specification, section Errors, by hand: they must not come from the code under test.
export const TEXTS = {
  bulleOutOfScope: { status: 403, body: { detail: "Cet établissement n'appartient pas à votre périmètre." } },
  ficheOutOfScope: { status: 403, body: { detail: "Cette fiche GMB n'appartient pas à votre périmètre." } },
  noFiche: { status: 404, body: { detail: 'Aucune fiche GMB associée à cette clé API.' } },
  bulleMissing: {
    status: 400,
    body: {
      detail: 'Cette clé API couvre plusieurs établissements. Précisez `bulle_id` (liste : GET /api/v2/bulles).',
    },
  },
  ficheMissing: {
    status: 400,
    body: { detail: 'Cette clé API couvre plusieurs fiches Google. Précisez `fiche_id` (liste : GET /api/v2/me).' },
  },
} as const;

/** 422 that says which field or parameter is meant, and a state that has not moved. */
export async function expectInvalid(
  api: MockControl,
  line: string,
  name: string,
  options: CallOptions = {},
): Promise<void> {
  const before = api.snapshot();
  const { status, body } = await call(api, line, options);
  expect({ status, detail: body.detail }).toEqual({ status: 422, detail: expect.stringContaining(`\`${name}\``) });
  expect(api.snapshot()).toEqual(before);
}

export const DAY = 86_400_000;
export const HOUR = 3_600_000;
