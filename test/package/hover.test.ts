import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const file = join(root, 'hover.ts');

/** Each line is hovered at the name behind `^`; what an editor shows must hold the text. */
const hovers: readonly (readonly [code: string, text: string])[] = [
  ['client.^articles.list();', 'Articles written for a connected CMS site'],
  ['client.articles.^confirm(1);', 'POST /articles/{article_id}/confirm'],
  ['client.articles.^publish(1, { dry_run: true });', 'returns a preview and executes nothing'],
  ['client.articles.list({ ^updated_since: new Date() });', 'oldest change first'],
  ['(await client.articles.get(1)).^slug;', 'Fixed at first publication'],
  ["client.posts.create({ content: '', ^platforms: ['gmb'], bulle_id: '' });", 'connected'],
  ['(await client.me()).^bulle;', '`null` for a sphere key'],
  ['(await client.gmb.metrics()).^timeseries;', 'ListingDay'],
  ['client.dryRun.articles.^publish(1);', 'returns a preview and executes nothing'],
  ["new Client({ ^baseUrl: '' });", 'path prefix'],
  ['new ^Client();', 'new Client({ apiKey, baseUrl:'],
  ["new ^ArticlesClient({ baseUrl: '' });", "new ArticlesClient({ baseUrl: '/content' })"],
  ["new ArticlesClient({ ^baseUrl: '' });", 'a path such as `/content`'],
  ['client.articles.get(1, { ^totalTimeout: 1 });', 'attempts, waits and time in the queue'],
];

const source = [
  "import { Client } from 'multilocal';",
  "import { ArticlesClient } from 'multilocal/articles';",
  'declare const client: Client;',
  ...hovers.map(([code]) => code.replace('^', '')),
];

function createService(): ts.LanguageService {
  const text = source.join('\n');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: [],
    strict: true,
    skipLibCheck: true,
  };
  return ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const content = name === file ? text : ts.sys.readFile(name);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
  });
}

describe('what an editor shows over the published types', () => {
  const service = createService();
  const text = source.join('\n');

  it.each(hovers)('%s', (code, expected) => {
    const start = text.indexOf(code.replace('^', ''));
    const info = service.getQuickInfoAtPosition(file, start + code.indexOf('^'));
    const shown = [...(info?.displayParts ?? []), ...(info?.documentation ?? [])].map((part) => part.text).join('');
    const tags = (info?.tags ?? []).flatMap((tag) => tag.text ?? []).map((part) => part.text);
    expect(`${shown}\n${tags.join('')}`).toContain(expected);
    // No type of a bundled library, and no zod, shows through.
    expect(shown).not.toMatch(/\bZod|\bz\.|KyInstance/);
  });

  it('resolves to the built types', () => {
    const info = service.getDefinitionAtPosition(file, text.indexOf('Client'));
    expect(info?.[0]?.fileName).toMatch(/dist\/.*\.d\.ts$/);
  });
});
