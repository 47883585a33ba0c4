// For each operation a call with every parameter of the table, and what must go over the wire.
import { type SpecEndpoint, type SpecParam, spec } from './endpoints.js';

export interface SampleCall {
  operation: string;
  row: SpecEndpoint;
  /** For `callByName`. */
  args: readonly unknown[];
  /** With the path parameters filled in. */
  path: string;
  /** `name=value` pairs as they are written, sorted. */
  query: readonly string[];
  /** Of a POST or PUT. */
  body?: object;
  /** Parameters that another one of the call replaces. */
  replaced: readonly string[];
}

const LOCAL_TIME = '2026-12-01T09:00:00+01:00';

/** Values with a form that the table does not show. */
const VALUES: Readonly<Record<string, unknown>> = {
  scheduled_at: new Date('2026-12-01T08:00:00Z'),
  color_hex: '#7a4B1e',
  content_per_platform: { gmb: 'court' },
  contacts: [
    { customer_name: 'Ada', channel: 'sms', customer_phone: '+33600000000', custom_message: 'Bonjour' },
    { customer_name: 'Max', channel: 'email', customer_email: 'max@example.com' },
  ],
  changes: [{ field: 'description', value: 'Boulangerie' }],
  image_base64: 'data:image/png;base64,iVBORw0KGgo=',
  image_urls: ['https://i.test/1.png', 'https://i.test/2.png'],
};

const REPLACED: Readonly<Record<string, readonly string[]>> = {
  'posts.create': ['text'],
  'images.upload': ['url'],
  'articles.create': ['site_id', 'wix_site_id'],
};

export const CALLS: readonly SampleCall[] = spec.flatMap((row) =>
  row.operation === 'seo.snapshot' ? [callOf(row), callOf(row, 'seo.competitors')] : [callOf(row)],
);

function callOf(row: SpecEndpoint, operation = row.operation): SampleCall {
  const replaced = REPLACED[operation] ?? [];
  const names = [...row.path.matchAll(/\{\w+\}/g)].map(([name]) => name);
  const ids = names.map((_, index) => (typeof row.sample[index] === 'number' ? 42 : 'accounts/1/é 2'));
  const wanted: [string, SpecParam][] = [
    ...Object.entries(row.params ?? {}).filter(([name]) => name !== 'kind' && !replaced.includes(name)),
    ...(row.target ? [[row.target, { type: 'string' }] satisfies [string, SpecParam]] : []),
  ];
  const params = Object.fromEntries(wanted.map(([name, param]) => [name, sampleOf(name, param)]));
  // The method of the client says which kind it reads.
  const sent = row.params?.kind ? { kind: operation.slice('seo.'.length), ...params } : params;
  const hasBody = row.method === 'POST' || row.method === 'PUT';
  return {
    operation,
    row,
    args: wanted.length > 0 ? [...ids, params] : ids,
    path: names.reduce((path, name, index) => path.replace(name, encodeURIComponent(`${ids[index]}`)), row.path),
    query: hasBody ? [] : pairsOf(sent).sort(),
    ...(hasBody && { body: JSON.parse(JSON.stringify(sent)) as object }),
    replaced,
  };
}

function sampleOf(name: string, { type, values, range }: SpecParam): unknown {
  if (name in VALUES) return VALUES[name];
  if (/^scheduled_|since$|^date_(from|to)$/.test(name)) return LOCAL_TIME;
  if (/^(start|end)_date$|^date_(start|end)$/.test(name)) return '2026-11-01';
  if (name.endsWith('_url')) return `https://x.test/${name}?a=1&b=c%20d`;
  if (type === 'integer') return range?.[1] ?? 7;
  if (type === 'boolean') return false;
  if (type === 'integer[]') return [1, 2];
  if (type === 'string[]') return values?.slice(0, 2) ?? ['accounts/1/locations/2', 'g'];
  return values?.at(-1) ?? 'croissant & café/é';
}

function pairsOf(params: Record<string, unknown>): string[] {
  const pairs = Object.entries(params).flatMap(([name, value]) => [value].flat().map((item) => [name, String(item)]));
  return pairs.map(([name = '', value = '']) => new URLSearchParams([[name, value]]).toString());
}
