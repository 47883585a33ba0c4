// `multilocal call`: every operation of the specification, with the request that the client itself would send.

import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { endpoints } from '@multilocal/client/resources/index';
import { invoke } from '@multilocal/plans/operation';
import { type SpecEndpoint, spec } from '@multilocal/test/spec/endpoints';
import { Client } from 'multilocal';
import type { MockServer } from 'multilocal/mock/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { endpointOf, type Params } from '../../src/operation.js';
import { run, start, startMock } from './support.js';

const NOW = '2026-11-22T09:00:00Z';
const FICHE = 'accounts/104829175630284517/locations/8837120495561027345';

/** The sample of the specification as one object: the parameters of the path come first. */
function paramsOf({ path, sample }: SpecEndpoint): Params {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const inPath = Object.fromEntries(names.map((name, index) => [name, sample[index]]));
  return { ...inPath, ...Object(sample[names.length]) };
}

/** The parameters as words of a command line. */
function wordsOf(params: Params): string[] {
  return Object.entries(params).map(([name, value]) => {
    const isPlain = typeof value !== 'object' || (Array.isArray(value) && value.every((item) => Object(item) !== item));
    return `${name}=${isPlain ? String(value) : JSON.stringify(value)}`;
  });
}

const sent = ({ api }: MockServer) =>
  api.requests.map(({ method, path, query, body, status }) => ({ method, path, query, body, status }));

/** Every method of the client: two of them have one route. */
const operations = spec.flatMap((one): [string, SpecEndpoint][] => {
  const names = one.operation === 'seo.snapshot' ? ['seo.snapshot', 'seo.competitors'] : [one.operation];
  return names.map((operation) => [operation, one]);
});

describe('every operation', () => {
  it.each(operations)('%s', async (operation, one) => {
    const here = await startMock({ now: NOW });
    const there = await startMock({ now: NOW });
    const client = new Client({ apiKey: here.api.keys.sphere, baseUrl: here.url });
    const before = spec.find((other) => other.operation === one.after);
    if (before) {
      await invoke(client, endpointOf(before.operation), paramsOf(before), {});
      await run(['call', before.operation, ...wordsOf(paramsOf(before)), '--yes'], { env: there.env });
    }
    await invoke(client, endpointOf(operation), paramsOf(one), {});
    const { stdout, code } = await run(['call', operation, ...wordsOf(paramsOf(one)), '--yes'], { env: there.env });

    expect(sent(there)).toEqual(sent(here));
    expect(code).toBe(0);
    const { response } = endpointOf(operation);
    const result: unknown = JSON.parse(stdout);
    if (response) expect(z.safeParse(response, result)).toMatchObject({ success: true });
  });
});

describe('costly operations', () => {
  it.each([
    ['without --yes, and the command says so', [], 'This was a dry run'],
    ['without --yes, whatever `dry_run` says', ['dry_run=false'], 'This was a dry run'],
    ['with --yes and `dry_run=true`', ['dry_run=true', '--yes'], ''],
  ])('are dry runs %s', async (_, more, remark) => {
    const { api, env } = await startMock();
    const { bulle } = api.ids;
    const words = ['social.publish', 'platforms=facebook', 'text=Bonjour', `bulle_id=${bulle}`, ...more];
    const { stdout, stderr, code } = await run(['call', ...words], { env });
    expect([code, JSON.parse(stdout).dry_run, stderr]).toEqual([0, true, expect.stringContaining(remark)]);
    const body = { platforms: ['facebook'], text: 'Bonjour', bulle_id: bulle, dry_run: true };
    expect(api.requests.map((request) => request.body)).toEqual([body]);
  });

  it.each(
    endpoints
      .filter(({ method, dryRun, idempotent }) => method !== 'GET' && !dryRun && !idempotent)
      .map(({ operation }) => operation),
  )('%s has no dry run: without --yes nothing is sent', async (operation) => {
    const { api, env } = await startMock();
    const one = spec.find((other) => other.operation === operation) as SpecEndpoint;
    const { stdout, code } = await run(['call', operation, ...wordsOf(paramsOf(one))], { env });
    expect([code, JSON.parse(stdout).error.message, api.requests]).toEqual([
      2,
      `${operation} has no dry run, so it needs \`--yes\`. Nothing was sent.`,
      [],
    ]);
  });
});

describe('parameters', () => {
  const bodyOf = async (...words: string[]) => {
    const { api, env } = await startMock();
    const { stdout } = await run(['call', ...words], { env });
    return api.requests.at(-1)?.body ?? JSON.parse(stdout).error;
  };
  const post = ['posts.create', 'bulle_id=bul_lyon_croix_rousse', 'content=3 pains, 2 brioches'];

  it.each([
    ['comma-separated', ['platforms=facebook,gmb']],
    ['JSON', ['platforms=["facebook","gmb"]']],
    ['repeated', ['platforms=facebook', 'platforms=gmb']],
  ])('a list: %s', async (_, words) => {
    expect(await bodyOf(...post, ...words)).toMatchObject({
      platforms: ['facebook', 'gmb'],
      content: '3 pains, 2 brioches',
    });
  });

  it('addresses keep their commas', async () => {
    const addresses = ['https://x.invalid/w_1,h_2/a.jpg', 'https://x.invalid/b.jpg'];
    expect(await bodyOf(...post, 'platforms=gmb', `image_urls=${addresses.join(',')}`)).toMatchObject({
      image_urls: addresses,
    });
  });

  it('a value may contain `=`, and numbers stay texts where the schema wants a text', async () => {
    const body = await bodyOf('posts.create', 'bulle_id=1', 'content=1+1=2', 'platforms=gmb');
    expect(body).toMatchObject({ bulle_id: '1', content: '1+1=2' });
  });

  it('numbers that keep their value, and texts that look like other numbers', async () => {
    const { api, env } = await startMock();
    for (const id of ['0014.0', '9007199254740991']) await run(['call', 'posts.get', `post_id=${id}`], { env });
    expect(api.requests.map(({ path }) => path)).toEqual(['/api/v2/posts/14', '/api/v2/posts/9007199254740991']);
    const text = '1.00000000000000000001';
    expect(await bodyOf('posts.create', 'bulle_id=1', `content=${text}`, 'platforms=gmb')).toMatchObject({
      content: text,
    });
  });

  it('objects are JSON', async () => {
    const contact = { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' };
    const body = await bodyOf('acquisition.requestReviews', `contacts=${JSON.stringify(contact)}`, `fiche_id=${FICHE}`);
    expect(body).toMatchObject({ contacts: [contact] });
  });

  it.each([
    ['an unknown one', ['posts.list', 'limt=2'], 'Did you mean `limit`?'],
    ['a wrong one', ['posts.list', 'limit=many'], '`limit` must be'],
    ['one too large', ['posts.list', 'limit=101'], '`limit` must be'],
    ['no value', ['posts.list', 'limit'], 'Parameter 1 must have the form key=value.'],
    ['one of an operation without any', ['spheres.list', 'limit=2'], 'spheres.list'],
    ['one too often', ['posts.list', 'limit=2', 'limit=3'], '`limit` is given 2 times'],
    ['a path that leads elsewhere', ['articles.get', 'article_id=..'], '`article_id`'],
    ['none of a path', ['articles.get'], '`article_id`'],
    ['a number with too many digits', ['posts.get', 'post_id=1.00000000000000000001'], '`post_id` has more digits'],
    ['an integer that is not exact', ['posts.get', 'post_id=9007199254740993'], '`post_id` has more digits'],
    ['one in JSON', ['articles.create', 'title=Pain', 'site_ids=[9007199254740993]'], '`site_ids` has more digits'],
    ['one in a list', ['articles.create', 'title=Pain', 'site_ids=1,9007199254740993'], '`site_ids` has more digits'],
  ])('%s: exit 2, and nothing is sent', async (_, words, text) => {
    const { api, env } = await startMock();
    const { stdout, code } = await run(['call', ...words], { env });
    expect([code, api.requests]).toEqual([2, []]);
    expect(JSON.parse(stdout).error.message).toContain(text);
  });

  it('the bytes of a file', async () => {
    const { api, env } = await startMock();
    const file = join(tmpdir(), `multilocal-${process.pid}.png`);
    writeFileSync(file, Buffer.from('89504e470d0a1a0a', 'hex'));
    onTestFinished(() => rmSync(file));
    const { stdout, code } = await run(['call', 'images.upload', `file=${file}`, '--yes'], { env });
    expect([code, api.requests.length, JSON.parse(stdout).uploaded]).toEqual([0, 1, true]);
  });
});

describe('what is printed', () => {
  it('holds no contact, and no key that the service repeats', async () => {
    const { api, env } = await startMock();
    const contacts = '[{"customer_name":"Ada","channel":"sms","customer_phone":"+33612345678"}]';
    const { stdout } = await run(
      ['call', 'acquisition.requestReviews', `contacts=${contacts}`, `fiche_id=${FICHE}`, '--yes'],
      { env },
    );
    expect(JSON.parse(stdout).contacts[0]).toMatchObject({ customer_name: 'Ada', contact: '[redacted]' });

    api.fail({ operation: 'spheres.list', status: 200, body: [{ id: 's', name: `key ${env.MULTILOCAL_API_KEY}` }] });
    const { stdout: repeated, stderr } = await run(['call', 'spheres.list'], { env });
    expect(repeated + stderr).not.toContain(env.MULTILOCAL_API_KEY);
  });

  it('on a terminal: indented JSON, and the remark below it', async () => {
    const { env } = await startMock({ now: NOW });
    const { stdout } = await run(['call', 'social.quota', 'bulle_id=bul_lyon_croix_rousse'], { env, tty: true });
    expect(stdout).toMatch(/^\{\n {2}"bulle_id"/);
  });
});

describe('Ctrl-C', () => {
  it.each([
    ['a write: the outcome is unknown', ['posts.delete', 'post_id=14', '--yes'], 'unknown'],
    ['a read', ['posts.list'], 'not_applied'],
    ['a dry run', ['seo.scan', 'bulle_id=bul_lyon_croix_rousse'], 'not_applied'],
  ])('%s', async (_, words, outcome) => {
    const { env, api } = await startMock({ latency: 600_000 });
    const command = start(['call', ...words], { env });
    await expect.poll(() => api.requests.length, { timeout: 60_000 }).toBe(1);
    command.interrupt();
    const { stdout, code } = await command.result;
    expect([code, JSON.parse(stdout).error]).toMatchObject([130, { code: 'interrupted', outcome }]);
  });
});

describe('help', () => {
  it('lists every operation', async () => {
    const { stdout, code } = await run(['call', '--help']);
    expect(code).toBe(0);
    for (const { operation } of endpoints) expect(stdout).toContain(`  ${operation} `);
  });

  it('of an operation comes from its docstring and its schema', async () => {
    const { stdout, code } = await run(['call', 'reviews.reply', '--help']);
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot('snapshots/call-reviews-reply.txt');
  });

  it('of every operation fits into a terminal and names nothing of the library', async () => {
    for (const [index, { operation }] of endpoints.entries()) {
      // All have their colours from one function.
      const { stdout } = await run(['call', operation, '--help'], { tty: index === 0 });
      const plain = stripVTControlCharacters(stdout);
      expect(plain).not.toMatch(/\[\d+m|client\./);
      // The example cannot be broken within a value.
      const lines = plain.split('\n').filter((line) => line.includes(' ') && !/^ {2}\w+=/.test(line));
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    }
  });

  it('of an unknown operation names the nearest one', async () => {
    const { stdout, code } = await run(['call', 'review.reply', '--help']);
    expect([code, JSON.parse(stdout).error.message]).toEqual([
      2,
      '`review.reply` is not an operation. Did you mean `reviews.reply`?',
    ]);
  });
});
