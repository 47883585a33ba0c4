// What the guides show of packages that this repository does not install: just enough of each to compile against.

declare module 'next' {
  type Text = string | null | undefined;
  export interface Metadata {
    title?: Text;
    description?: Text;
    alternates?: { canonical?: Text };
    openGraph?: { type: 'article'; url?: Text; title?: Text; description?: Text; siteName?: Text; images?: string[] };
  }
}

declare module 'next/navigation' {
  export function notFound(): never;
}

declare module 'next/cache' {
  export function cacheTag(...tags: string[]): void;
  export function cacheLife(profile: 'hours'): void;
  export function revalidateTag(tag: string, profile: { expire: number }): void;
}

// Of examples/next-site, which the guide of Next.js shows.

declare module '@/app/byline' {
  export function Byline(props: { article: import('multilocal').Article; more?: string }): JSX.Element;
}

declare module '@/lib/articles' {
  type Articles = typeof import('../../examples/next-site/lib/articles.js');
  export const LIST_TAG: Articles['LIST_TAG'];
  export const articleTag: Articles['articleTag'];
  export const listArticles: Articles['listArticles'];
  export const findArticle: Articles['findArticle'];
}

declare module '@/lib/sanitise' {
  export const sanitise: typeof import('../../examples/next-site/lib/sanitise.js').sanitise;
}

declare module '@/lib/site' {
  type Site = typeof import('../../examples/next-site/lib/site.js');
  export const publisher: Site['publisher'];
  export const urlOf: Site['urlOf'];
  export const pageName: Site['pageName'];
  export const pathOf: Site['pathOf'];
  export const idOf: Site['idOf'];
}

declare module '@/lib/store' {
  type Store = typeof import('../../examples/next-site/lib/store.js');
  export const openStore: Store['openStore'];
  export const readArticle: Store['readArticle'];
  export const readArticles: Store['readArticles'];
}

declare module '@/lib/sync' {
  export const sync: typeof import('../../examples/next-site/lib/sync.js').sync;
}

declare module 'astro:content' {
  export interface Entry {
    id: string;
    data: import('multilocal/astro').ArticleData;
  }
  export function defineCollection(collection: { loader: import('multilocal/astro').MultilocalLoader }): unknown;
  export function defineLiveCollection(collection: {
    loader: import('multilocal/astro').MultilocalLiveLoader;
  }): unknown;
  export function getLiveEntry(name: string, filter: { id: string }): Promise<{ entry?: Entry; error?: Error }>;
  export function getCollection(name: string): Promise<Entry[]>;
  export function render(entry: Entry): Promise<{ Content: unknown }>;
}

declare module 'cloudflare:workers' {
  export const env: { MULTILOCAL_API_KEY: string; MULTILOCAL_BASE_URL: string; LIMITERS: object };
  export class DurableObject<Env> {
    protected ctx: DurableObjectState;
    constructor(ctx: DurableObjectState, env: Env);
  }
  export function waitUntil(work: Promise<unknown>): void;
}

interface DurableObjectState {
  storage: {
    get<Value>(key: string): Promise<Value | undefined>;
    put<Value>(key: string, value: Value): Promise<void>;
  };
  blockConcurrencyWhile<Result>(work: () => Promise<Result>): Promise<Result>;
}

interface DurableObjectNamespace<Instance> {
  /** The object may run in another data centre, so each call returns a promise. */
  getByName(name: string): {
    [Method in keyof Instance]: Instance[Method] extends (...args: infer Args) => infer Result
      ? (...args: Args) => Promise<Result>
      : never;
  };
}

declare module '*/key-limiter' {
  export const durableStore: (limiters: object) => import('multilocal').RateLimitStore;
  export class KeyLimiter {}
}

declare module '@jest/globals' {
  export function test(name: string, body: () => Promise<void>): void;
  export function beforeAll(body: () => Promise<void>): void;
  export function afterAll(body: () => Promise<void>): void;
  export function expect(value: unknown): { toBe(expected: unknown): void };
}

declare module '@playwright/test' {
  export { defineConfig, expect, test } from 'playwright/test';
}

declare module '*/fixtures' {
  export const test: import('playwright/test').TestType<
    import('playwright/test').PlaywrightTestArgs & { mock: import('multilocal/mock/server').MockServer },
    object
  >;
  export { expect } from 'playwright/test';
}

declare namespace JSX {
  type Element = object;
  interface IntrinsicElements {
    [name: string]: object;
  }
}

/** Of Astro's pages. */
declare const Astro: {
  props: { article: import('astro:content').Entry };
  params: { id?: string };
  response: { status?: number; headers: Headers };
};

/** The part of better-sqlite3 and of node:sqlite that the guide uses. */
interface Sqlite {
  exec(sql: string): unknown;
  prepare(sql: string): { all(...params: (string | null)[]): unknown[] };
}

declare module 'better-sqlite3' {
  const Database: new (file?: string) => Sqlite;
  export default Database;
}

declare module 'node:sqlite' {
  export const DatabaseSync: new (file: string) => Sqlite;
}

declare module '@/lib/database' {
  export const storeOf: (brand: string) => import('multilocal/sql').SqlStore;
}

declare module '@/lib/fate' {
  export const fateOf: (error: unknown) => 'final' | 'retry' | { wait: number };
}

declare module '@/lib/slice' {
  export const syncSlice: (brand: string) => Promise<{ done: boolean }>;
}

declare module '@upstash/redis' {
  export class Redis {
    static fromEnv(): Redis;
    eval(script: string, keys: string[], args: unknown[]): Promise<unknown>;
  }
}

declare module 'pg-boss' {
  interface Job<Data> {
    id: string;
    data: Data;
  }
  export class PgBoss {
    constructor(connectionString: string);
    start(): Promise<unknown>;
    createQueue(name: string, options: { policy: string; retryLimit: number; retryBackoff: boolean }): Promise<void>;
    send(name: string, data: object, options: { singletonKey: string; startAfter: number }): Promise<string | null>;
    work<Data>(name: string, handler: (jobs: Job<Data>[]) => Promise<unknown>): Promise<string>;
    cancel(name: string, id: string): Promise<void>;
  }
}

declare module 'inngest' {
  interface Options {
    id: string;
    triggers: { event: string };
    concurrency: { key: string; limit: number };
    retries: number;
  }
  interface Context {
    event: { data: { brand: string } };
    step: { run<Result>(id: string, work: () => Promise<Result>): Promise<Result> };
  }
  export class Inngest {
    constructor(options: { id: string });
    createFunction(options: Options, handler: (context: Context) => Promise<void>): object;
  }
  export class NonRetriableError extends Error {
    constructor(message: string, options: { cause: unknown });
  }
  export class RetryAfterError extends Error {
    constructor(message: string, retryAfter: number | string | Date, options: { cause: unknown });
  }
}

declare module '@temporalio/activity' {
  export class ApplicationFailure extends Error {
    static create(options: { message: string; nonRetryable?: boolean; nextRetryDelay?: number }): ApplicationFailure;
  }
}

declare module '@trigger.dev/sdk' {
  export class AbortTaskRunError extends Error {}
  export function task<Payload>(options: {
    id: string;
    queue: { concurrencyLimit: number };
    retry: { maxAttempts: number };
    run: (payload: Payload) => Promise<void>;
    catchError: (parameters: { error: unknown }) => Promise<{ retryAt: Date } | undefined>;
  }): object;
}

declare module '@vercel/functions' {
  export const waitUntil: (work: Promise<unknown>) => void;
}

declare module '@opentelemetry/sdk-node' {
  export class NodeSDK {
    constructor(options: {
      serviceName: string;
      traceExporter: import('@opentelemetry/sdk-trace-node').SpanExporter;
      metricReaders: import('@opentelemetry/sdk-metrics').MetricReader[];
    });
    start(): void;
  }
}

declare module '@opentelemetry/exporter-trace-otlp-proto' {
  export const OTLPTraceExporter: typeof import('@opentelemetry/sdk-trace-node').InMemorySpanExporter;
}

declare module '@opentelemetry/exporter-metrics-otlp-proto' {
  export const OTLPMetricExporter: new () => import('@opentelemetry/sdk-metrics').InMemoryMetricExporter;
}
