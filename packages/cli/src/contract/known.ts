import type { Article, PostStatus } from 'multilocal';
import { PERMISSIONS } from '../doctor/key.js';
import { documentText, type JsonSchema, readOperations } from '../document.js';

/**
 * The types that the specification shows in the response of one operation, by path: `[].id`, `kpis.calls`. `*` stands for the
 * names of an object whose names are data, such as platforms. An object whose names are not shown has the type `*`.
 */
export type Known = ReadonlyMap<string, ReadonlySet<string>>;

interface Schema extends JsonSchema {
  readonly $ref?: string;
  readonly type?: string & readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly items?: Schema;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Described {
  readonly operationId: string;
  readonly 'x-operations'?: readonly { readonly operationId: string }[];
  readonly responses: {
    readonly 200?: { readonly content?: { readonly 'application/json': { readonly schema: Schema } } };
  };
}

/** Returns what is known of each read, from the OpenAPI document of the package. */
export function knownReads(): ReadonlyMap<string, Known> {
  const { paths, components } = JSON.parse(documentText()) as Document;
  const reads = Object.values(paths).flatMap(({ get }) => (get ? [get] : []));
  return new Map(
    reads.flatMap(({ operationId, 'x-operations': others = [], responses }) => {
      const schema = responses[200]?.content?.['application/json'].schema;
      const known = flatten(schema ?? {}, components.schemas);
      // The specification does not show the names of its counters.
      if (operationId === 'social.quota') known.get('')?.add('*');
      return [operationId, ...others.map((one) => one.operationId)].map((name) => [name, known] as const);
    }),
  );
}

function flatten(root: Schema, schemas: Document['components']['schemas']): Map<string, Set<string>> {
  const fields = new Map<string, Set<string>>();
  const visit = (given: Schema, path: string) => {
    const schema = given.$ref === undefined ? given : (schemas[given.$ref.split('/').at(-1) ?? ''] ?? {});
    const { anyOf = [], type, properties, additionalProperties: others, items } = schema;
    const types = fields.get(path) ?? new Set();
    fields.set(path, types);
    for (const one of [type ?? []].flat()) types.add(one);
    for (const one of anyOf) visit(one, path);
    for (const [name, field] of Object.entries(properties ?? {})) visit(field, within(path, name));
    if (items) visit(items, `${path}[]`);
    const isOpen = others && !properties;
    const isEmpty = isOpen && Object.keys(others).length === 0;
    if (isOpen && !isEmpty) visit(others, within(path, '*'));
    if (isEmpty || (!type && anyOf.length === 0)) types.add('*');
  };
  visit(root, '');
  return fields;
}

/** The path of a field of the object at a path. */
export function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** Returns the path of the object or the list around a field or an item. */
export function parentOf(path: string): string {
  return path.endsWith('[]') ? path.slice(0, -2) : path.slice(0, Math.max(0, path.lastIndexOf('.')));
}

/** The last name of a path. */
export function nameOf(path: string): string {
  return path.split('.').at(-1)?.replaceAll('[]', '') ?? '';
}

/**
 * Fields that the specification calls "or null", or that have nothing to show. The schemas cannot say it: the client accepts null and absence in
 * most places, and this check shows what a service does beyond the specification.
 */
const NULLABLE = new Set(
  `bulle bulle_id bulle_name tone language category slug published_at site_id snapshot response_text reply_date image_url image_urls video_url
  last_position previous_position delta last_search_volume last_url last_checked_at last_scanned_at
  carousel_min carousel_max max_duration_sec expires_at`.split(/\s+/),
);
/** Fields that only some responses of an operation have. */
const OPTIONAL = new Set(
  `has_api_key wp_version plugin_version theme_name has_token suggested_value
  ranked_keywords competitors onpage pagespeed ai_analysis snapshot snapshot_date snapshot_id
  visibility_score scanned_at created_at website_url has_ai_analysis`.split(/\s+/),
);
const OF_PLATFORM = /^(scheduled|published|error)_/;

/** Whether the specification lets a field be null, or absent. */
export function allows(path: string, what: 'null' | 'absent'): boolean {
  const name = nameOf(path);
  if (what === 'absent') return OPTIONAL.has(name) || name === '*';
  return NULLABLE.has(name) || OF_PLATFORM.test(name) || name === '*';
}

/** Where the document lists the words of a field: a parameter of an operation. */
const LISTED: Readonly<Record<string, readonly [operation: string, parameter: string]>> = {
  'me connected_platforms[]': ['posts.create', 'platforms'],
  'connections.list [].platform': ['posts.create', 'platforms'],
  'posts.list [].platforms[]': ['posts.create', 'platforms'],
  'sites.list [].platform': ['sites.list', 'platform'],
};
/** The words of the fields that no parameter has. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  'me permissions[]': PERMISSIONS,
  'posts.list [].status': ['pending', 'published', 'error', 'scheduled', 'publishing'] satisfies PostStatus[],
  'articles.list articles[].status': ['published', 'draft'] satisfies Article['status'][],
};

/** The words that the specification shows for a field of a read. The client accepts others. */
export function wordsOf(operation: string, path: string): readonly unknown[] | undefined {
  const place = `${operation} ${path}`;
  const [listed, parameter] = LISTED[place] ?? [];
  if (!listed) return SHOWN[place];
  const parameters = readOperations().get(listed)?.parameters;
  const schema = parameters?.find(({ name }) => name === parameter)?.schema;
  return schema?.enum ?? schema?.items?.enum;
}
