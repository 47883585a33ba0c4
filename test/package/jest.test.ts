import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MockServer, startMockServer } from 'multilocal/mock/server';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed } from '../../scripts/matrix.mjs';
import { root, run } from '../examples/run.js';

// Real Jest with plain jsdom, which has neither fetch nor TextEncoder. `dist` of the package must be there.
let modules: string;
let mock: MockServer;
let project: string;
beforeAll(async () => {
  modules = await installed('jest');
  mock = await startMockServer();
  project = mkdtempSync(join(tmpdir(), 'multilocal-jest-'));
  symlinkSync(modules, join(project, 'node_modules'), 'junction');
  // Not in node_modules, which is kept for other tests.
  const moduleNameMapper = {
    '^multilocal$': join(root, 'dist/index.cjs'),
    '^multilocal/(.*)$': join(root, 'dist/$1.cjs'),
  };
  writeFileSync(join(project, 'package.json'), JSON.stringify({ private: true, jest: { moduleNameMapper } }));
});
afterAll(async () => {
  rmSync(project, { recursive: true, force: true });
  await mock.close();
});

const guide = readFileSync(join(root, 'docs/guides/testing.md'), 'utf8');

/** Runs one test file. `environment`: what the comment at the top of a test file names. */
async function jest(environment: string, code: string) {
  writeFileSync(join(project, 'page.test.js'), `/** @jest-environment ${environment} */\n${code}`);
  const env = { CONTENT_URL: mock.url, KEY: mock.api.keys.readOnly };
  return run(process.execPath, [join(modules, 'jest', 'bin', 'jest.js'), '--ci'], { cwd: project, env });
}

describe('Jest with jsdom', () => {
  it('requires the package, and the constructor says what is missing', async () => {
    const { code, output } = await jest(
      'jsdom',
      `test('page', () => {
        expect(typeof TextEncoder + typeof fetch).toBe('undefinedundefined');
        const { ArticlesClient, isMultilocalError } = require('multilocal/articles');
        let error;
        try {
          new ArticlesClient({ baseUrl: '/content' });
        } catch (thrown) {
          error = thrown;
        }
        expect(isMultilocalError(error)).toBe(true);
        expect(error.message).toContain('lacks \`Request\`');
      });`,
    );
    expect(code, output).toBe(0);
  });

  it('lists and reads with the environment of the guide', async () => {
    const [, environment = ''] = /^(\/\/ jsdom-page\.cjs$[\s\S]*?)^```$/m.exec(guide) ?? [];
    expect(environment).toContain('TestEnvironment');
    writeFileSync(join(project, 'jsdom-page.cjs'), environment);
    const { code, output } = await jest(
      './jsdom-page.cjs',
      `const { ArticlesClient, NotFoundError } = require('multilocal/articles');
      test('page', async () => {
        expect(document.querySelector('body')).not.toBe(null);
        const articles = new ArticlesClient({ baseUrl: process.env.CONTENT_URL, apiKey: process.env.KEY });
        const { articles: [first] } = await articles.list({ status: 'published' });
        expect((await articles.get(first.id)).title).toBe(first.title);
        await expect(articles.get(999999)).rejects.toThrow(NotFoundError);
      });`,
    );
    expect(code, output).toBe(0);
    expect(mock.api.requests.map(({ operation }) => operation)).toEqual([
      'articles.list',
      'articles.get',
      'articles.get',
    ]);
  });
});

describe('Jest in Node', () => {
  it('runs the test with fake timers of the guide', async () => {
    const [, vitest = ''] = /^(\/\/ Vitest\n[^`]*useFakeTimers[\s\S]*?)^```$/m.exec(guide) ?? [];
    // Only the words that the guide names differ.
    const snippet = vitest
      .replace("{ expect, onTestFinished, test, vi } from 'vitest'", "{ expect, jest, test } from '@jest/globals'")
      .replace(/ *onTestFinished\([\s\S]*?\}\);\n/, '')
      .replaceAll('vi.', 'jest.');
    expect(snippet).toContain('jest.useFakeTimers()');
    const { code, output } = await jest(
      'node',
      ts.transpile(snippet, { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS }),
    );
    expect(code, output).toBe(0);
    expect(output).toContain('1 passed');
  });
});
