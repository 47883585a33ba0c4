// Every public method has a docstring with an example, and each example runs against the mock.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createMockApi } from 'multilocal/mock';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as multilocal from '../../src/index.js';

const src = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'src');
const files = ['client.ts', ...readdirSync(join(src, 'resources')).map((name) => `resources/${name}`)];

const methods = files
  // The methods of a list have their examples on `ListPromise`.
  .filter((name) => name.endsWith('.ts') && name !== 'resources/pages.ts')
  .flatMap((name) => {
    const found: { id: string; examples: string[] }[] = [];
    const source = ts.createSourceFile(name, readFileSync(join(src, name), 'utf8'), ts.ScriptTarget.ES2022, true);
    const visit = (node: ts.Node): void => {
      if (ts.isMethodDeclaration(node) && !ts.isPrivateIdentifier(node.name)) {
        const isImplementation = node.body && ts.getJSDocCommentsAndTags(node).length === 0;
        const isInternal = ts.getJSDocTags(node).some(({ tagName }) => tagName.text === 'internal');
        const tags = ts.getJSDocTags(node).filter(({ tagName }) => tagName.text === 'example');
        const examples = tags.map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '');
        if (!isImplementation && !isInternal) found.push({ id: `${name} ${node.name.getText()}`, examples });
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    return found;
  });

describe('the examples of the docstrings', () => {
  it('are there for every method', () => {
    expect(methods.filter(({ examples }) => examples.length === 0)).toEqual([]);
    expect(methods.length).toBeGreaterThan(55);
  });

  it.each(methods.flatMap(({ id, examples }) => examples.map((code) => [id, code] as const)))(
    '%s: %s',
    async (_, code) => {
      const api = createMockApi();
      const { bulle: bulle_id, fiche: fiche_id, review: review_id } = api.ids;
      const fetch: typeof globalThis.fetch = (input, init) => api.handle(new Request(input, init));
      const options = { apiKey: api.keys.sphere, baseUrl: api.baseUrl, fetch, rateLimit: false } as const;
      class Client extends multilocal.Client {
        constructor(given: multilocal.ClientOptions) {
          super({ ...options, ...given });
        }
        static override connect = (given: object) => multilocal.Client.connect({ ...options, ...given }) as never;
      }
      const around = {
        ...multilocal,
        Client,
        client: await multilocal.Client.connect(options),
        directoryStore: () => multilocal.memoryStore(),
        openAsBlob: async () => new Blob([new Uint8Array([0x47, 0x49, 0x46, 0x38, 0x39, 0x61])]),
        ...{ bulle_id, fiche_id, review_id, post_id: 'soc_1', apiKey: api.keys.sphere, baseUrl: api.baseUrl },
        content: 'Bonjour',
        params: { content: 'Bonjour', platforms: ['facebook'], bulle_id },
        report: { type: 'fiche', fiche_ids: [fiche_id], date_start: '2026-10-01', date_end: '2026-10-31' },
        contacts: [{ customer_name: 'Zoé', channel: 'email', customer_email: 'zoe@example.com' }],
        changes: [{ field: 'description', value: 'Pain' }],
        ...{ rehearse: true, cursor: undefined, stored: new Map(), show: () => {}, render: () => {} },
        console: { log: () => {}, warn: () => {}, error: () => {} },
      };
      const body = ts.transpile(`(async () => {\n${code}\n})`, {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        alwaysStrict: false,
      });
      const names = Object.keys(around);
      const run = new Function(...names, `return ${body}`)(...Object.values(around)) as () => Promise<void>;
      const waits = /createAndWait|waitUntilWritten|reports\.wait/.test(code);
      const error = await Promise.race([
        run().then(
          () => undefined,
          (thrown: unknown) => thrown,
        ),
        ...(waits ? [new Promise<undefined>((resolve) => setTimeout(resolve, 300))] : []),
      ]);
      // The seed has no article 42 and the like: a refusal by the service shows that the call was well made.
      if (error !== undefined) expect(error).toMatchObject({ origin: 'service', status: expect.any(Number) });
    },
  );
});
