// What the docstrings of the public methods and fields say about the service, held against the tables.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { endpoints } from '../../src/resources/index.js';
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
