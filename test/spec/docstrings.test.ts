// What the docstrings of the public methods and fields say about the service, held against the tables, and their examples.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as multilocal from '../../src/index.js';
import { endpoints } from '../../src/resources/endpoints.js';
import { run } from '../docs/run.js';
import { makeClient, makePage } from '../support/clients.js';
import { specOf } from './endpoints.js';

/** What methods throw that are more than one operation of the specification, as the contract says. */
const HELPERS: Readonly<Record<string, readonly string[]>> = {
  'ArticlesClient.constructor': ['ConfigurationError'],
  'ArticlesClient.latest': ['ConfigurationError', 'InvalidResponseError'],
  'ArticlesClient.bySlug': ['ConfigurationError', 'NotFoundError'],
  'ArticlesClient.related': ['ConfigurationError', 'NotFoundError'],
  'ArticlesClient.categories': ['ConfigurationError'],
  'articles.changes': ['SyncStalledError'],
  'articles.list': ['SyncStalledError'],
  'articles.sync': ['MassDeletionError', 'RateLimitError', 'SyncStalledError'],
  'articles.syncTo': ['InvalidRequestError', 'MassDeletionError', 'RateLimitError', 'SyncConflictError'],
  'articles.waitUntilWritten': ['WaitTimeoutError'],
  'images.upload': ['InvalidRequestError'],
  'posts.check': ['InvalidRequestError', 'MissingBulleIdError'],
  'posts.findRecent': ['InvalidRequestError'],
  'reports.createAndWait': ['DryRunUnsupportedError', 'WaitTimeoutError'],
  'reports.createAndWaitAll': ['DryRunUnsupportedError', 'InvalidRequestError'],
  'reports.download': ['ApiError', 'InvalidRequestError', 'RedirectError'],
  'reports.wait': ['WaitTimeoutError'],
  'reviews.all': ['MissingFicheIdError'],
  'reviews.summaries': ['MissingFicheIdError'],
  budget: ['ConnectionError'],
  connect: ['AuthenticationError', 'ConfigurationError'],
  constructor: ['ConfigurationError'],
  forBulle: ['ConfigurationError'],
  forFiche: ['ConfigurationError'],
  me: ['AuthenticationError'],
  withOptions: ['ConfigurationError'],
};

/** The errors that the specification and the preflight of the contract give an operation. */
function errorsOf(operation: string): readonly string[] {
  const row = specOf(operation);
  const endpoint = endpoints.find((one) => one.operation === operation);
  if (!row || !endpoint) return [];
  const bulles = ['BulleNotFoundError', 'BulleOutOfScopeError'];
  const takesFiche = row.target === 'fiche_id' || row.params?.fiche_ids;
  return [
    ...(row.errors ?? []),
    ...(row.dry_run ? ['DryRunNotHonoredError'] : []),
    ...(row.path.includes('{') ? ['NotFoundError'] : []),
    ...(row.target === 'bulle_id' || row.path.includes('{bulle_id}') ? bulles : []),
    ...(takesFiche ? ['FicheOutOfScopeError', 'NoFicheError'] : []),
    ...(endpoint.targetRequired ? [row.target === 'bulle_id' ? 'MissingBulleIdError' : 'MissingFicheIdError'] : []),
  ];
}

const sources = ['src/resources', 'src/page', 'src'].flatMap((folder) =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);
const files = sources.map((name) =>
  ts.createSourceFile(name, readFileSync(name, 'utf8'), ts.ScriptTarget.ESNext, true),
);

/** The errors that the docstring of each method names, by class and method. */
const thrown = new Map(
  files
    .flatMap(({ statements }) => statements.filter(ts.isClassDeclaration))
    .map(({ name, members }) => [
      name?.text ?? '',
      members.map((member) => {
        const tags = ts.getJSDocTags(member).filter(({ tagName }) => tagName.text === 'throws');
        const text = tags.map((tag) => tag.getText()).join(' ');
        const method = ts.isConstructorDeclaration(member) ? 'constructor' : (member.name?.getText() ?? '');
        return [method, [...text.matchAll(/\{@link (\w+)\}/g)].map(([, error = '']) => error)] as const;
      }),
    ]),
);

/** The methods of a client and of its resources whose docstrings name errors. */
function methodsOf(owner: object, prefix = ''): [operation: string, errors: readonly string[]][] {
  const own: [string, readonly string[]][] = [];
  for (let at = Object.getPrototypeOf(owner); at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, errors] of thrown.get(at.constructor.name) ?? []) {
      if (errors.length > 0) own.push([`${prefix}${name}`, errors]);
    }
  }
  return [...own, ...Object.entries(owner).flatMap(([name, resource]) => methodsOf(resource, `${prefix}${name}.`))];
}

const page = methodsOf(makePage({}), '').filter(([name]) => !['list', 'get', 'confirm', 'changes'].includes(name));
const methods = [
  ...methodsOf(makeClient({})),
  ...page.map(([name, errors]) => [`ArticlesClient.${name}`, errors] as const),
];

describe('the errors of a docstring', () => {
  it('are read', () => {
    expect(methods.length).toBeGreaterThan(50);
    expect(methods.map(([name]) => name)).toEqual(expect.arrayContaining(Object.keys(HELPERS)));
  });

  it.each(methods)('%s', (name, errors) => {
    expect([...(HELPERS[name] ?? []), ...errorsOf(name)]).toEqual(expect.arrayContaining([...errors]));
  });
});

/** The meanings of null that the specification gives. */
const MEANINGS = [
  'the article belongs only to the brand',
  'the post does not target the platform',
  'a platform that is not targeted',
  'a new keyword',
  "`kind: 'api'`",
  'the post has n',
];

describe('a meaning of null in a docstring', () => {
  const resources = files.filter(({ fileName }) => fileName.startsWith('src/resources/'));
  const docs = resources.flatMap(({ text }) => text.match(/\/\*\*[\s\S]*?\*\//g) ?? []);
  const flat = docs.map((doc) => doc.replace(/\s*\n\s*\* ?/g, ' '));
  const found = flat.flatMap((doc) => doc.match(/`null`[^.]*? (if|before|until|for) [^.]*\./g) ?? []);

  it('is one of the specification', () => {
    expect(found.length).toBeGreaterThan(5);
    expect(found.filter((text) => !MEANINGS.some((meaning) => text.includes(meaning)))).toEqual([]);
  });
});

describe('the examples of the docstrings', () => {
  const methods = files
    // The methods of a list have their examples on `ListPromise`.
    .filter(({ fileName }) => /^src\/(client|resources\/(?!pages).+)\.ts$/.test(fileName))
    .flatMap(({ fileName, statements }) =>
      statements
        .filter(ts.isClassDeclaration)
        .flatMap(({ members }) => members.filter(ts.isMethodDeclaration))
        .filter(({ name }) => !ts.isPrivateIdentifier(name))
        .map((method) => ({ id: `${fileName} ${method.name.getText()}`, method, tags: ts.getJSDocTags(method) })),
    )
    .filter(({ tags }) => !tags.some(({ tagName }) => tagName.text === 'internal'))
    // Overloads have the docstrings of their implementation.
    .filter(({ method }) => !method.body || ts.getJSDocCommentsAndTags(method).length > 0)
    .map(({ id, tags }) => {
      const examples = tags.filter(({ tagName }) => tagName.text === 'example');
      return { id, examples: examples.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '') };
    });

  /** What only the reader's own program has. */
  const around = (api: Parameters<NonNullable<Parameters<typeof run>[1]>>[0]) => ({
    ...multilocal,
    directoryStore: () => multilocal.memoryStore(),
    openAsBlob: async () => new Blob(['GIF89a']),
    ...{ apiKey: api.keys.sphere, baseUrl: api.baseUrl, post_id: 'soc_1', content: 'Bonjour' },
    params: { content: 'Bonjour', platforms: ['facebook'], bulle_id: api.ids.bulle },
    report: { type: 'fiche', fiche_ids: [api.ids.fiche], date_start: '2026-10-01', date_end: '2026-10-31' },
    ...{ rehearse: true, cursor: undefined, stored: new Map(), show: () => {} },
  });

  it('are there for every method', () => {
    expect(methods.filter(({ examples }) => examples.length === 0)).toEqual([]);
    expect(methods.length).toBeGreaterThan(55);
  });

  it.each(methods.flatMap(({ id, examples }) => examples.map((code) => [id, code] as const)))(
    '%s: %s',
    async (_, code) => {
      const error: unknown = await run({ code, isRecipe: false }, around).then(
        () => undefined,
        (thrown) => thrown,
      );
      // The seed has no article 42 and the like: a refusal by the service shows that the call was well made, and so does
      // a wait for a report that nobody ordered.
      if (error !== undefined && !(error instanceof multilocal.WaitTimeoutError))
        expect(error).toMatchObject({ origin: 'service', status: expect.any(Number) });
    },
  );
});
