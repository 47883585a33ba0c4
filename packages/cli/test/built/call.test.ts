// `multilocal call`: every operation of the specification, with the request that the client itself would send.

import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { endpoints } from '@multilocal/client/resources/endpoints';
import { invoke } from '@multilocal/plans/operation';
import { type SpecEndpoint, spec } from '@multilocal/test/spec/endpoints';
import { Client } from 'multilocal';
import type { MockServer } from 'multilocal/mock/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { endpointOf, type Params } from '../../src/operation.js';
import { readParameters } from '../../src/parameters.js';
import { type Line, refusals, run, start, startMock } from './support.js';

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

  it('need `--yes` if they have no dry run, and nothing is sent without it', async () => {
    const without = endpoints.filter(({ method, dryRun, idempotent }) => method !== 'GET' && !dryRun && !idempotent);
    for (const { operation } of without) {
      const one = spec.find((other) => other.operation === operation) as SpecEndpoint;
      const words = wordsOf(paramsOf(one)).map((word) => `'${word}'`);
      expect(await refusals([[`call ${operation} ${words.join(' ')}`]])).toContain(
        `exit 2: usage, not_applied, after 0 requests\n${operation} has no dry run, so it needs \`--yes\`.`,
      );
    }
  });
});

describe('parameters', () => {
  const pictures = ['https://x.invalid/w_1,h_2/a.jpg', 'https://x.invalid/b.jpg'];
  const contact = { customer_name: 'Ada', channel: 'email', customer_email: 'ada@example.com' };

  it.each<[operation: string, words: string[], read: object]>([
    ['posts.create', ['platforms=facebook,gmb'], { platforms: ['facebook', 'gmb'] }],
    ['posts.create', ['platforms=["facebook","gmb"]'], { platforms: ['facebook', 'gmb'] }],
    ['posts.create', ['platforms=facebook', 'platforms=gmb'], { platforms: ['facebook', 'gmb'] }],
    ['posts.create', ['platforms=gmb'], { platforms: ['gmb'] }],
    // Addresses keep their commas, and so do texts.
    ['posts.create', [`image_urls=${pictures.join(',')}`], { image_urls: pictures }],
    ['posts.create', [`image_urls= ${pictures.join(', ')}`], { image_urls: pictures }],
    ['posts.create', [`image_urls=${pictures.join('\n')}`], { image_urls: pictures }],
    ['posts.create', [`image_urls=${pictures.join(',')},`], { image_urls: [...pictures, ''] }],
    ['posts.create', ['content_per_platform={"gmb":"x"}'], { content_per_platform: { gmb: 'x' } }],
    ['posts.create', ['content=3 pains, 2 brioches'], { content: '3 pains, 2 brioches' }],
    ['posts.create', ['content=1+1=2', 'bulle_id=1'], { content: '1+1=2', bulle_id: '1' }],
    ['posts.create', ['content=1.00000000000000000001'], { content: '1.00000000000000000001' }],
    ['posts.get', ['post_id=0014.0'], { post_id: 14 }],
    ['posts.get', ['post_id=9007199254740991'], { post_id: 9007199254740991 }],
    ['acquisition.requestReviews', [`contacts=${JSON.stringify(contact)}`], { contacts: [contact] }],
  ])('of %s: %j', (operation, words, read) => {
    expect(readParameters(operation, words)).toEqual(read);
  });

  it('that are wrong: exit 2, and nothing is sent', async () => {
    const lines: Line[] = [
      ['call posts.list limt=2'],
      ['call posts.list limit=many'],
      ['call posts.list limit=101'],
      ['call posts.list limit'],
      ['call spheres.list limit=2'],
      ['call posts.list limit=2 limit=3'],
      ['call posts.create image_urls=[https://x.invalid/a.jpg,https://x.invalid/b.jpg]'],
      ['call posts.create content_per_platform={facebook:Bonjour}'],
      ['call posts.create content_per_platform=facebook:Bonjour'],
      ['call acquisition.requestReviews contacts=customer_name:Ada contacts=channel:sms'],
      ['call articles.get article_id=..'],
      ['call articles.get'],
      ['call posts.get post_id=1.00000000000000000001'],
      ['call posts.get post_id=9007199254740993'],
      ['call articles.create title=Pain site_ids=[9007199254740993]'],
      ['call articles.create title=Pain site_ids=1,9007199254740993'],
      ['call review.reply --help'],
    ];
    await expect(await refusals(lines)).toMatchFileSnapshot('snapshots/refused-call.txt');
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

  it('on a terminal is indented JSON', async () => {
    const { env } = await startMock({ now: NOW });
    const { stdout } = await run(['call', 'social.quota', 'bulle_id=bul_lyon_croix_rousse'], { env, columns: 80 });
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
  it('of an operation comes from its docstring and its schema', async () => {
    const { stdout, code } = await run(['call', 'reviews.reply', '--help']);
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot('snapshots/call-reviews-reply.txt');
  });

  it('of every operation fits into a terminal and names nothing of the library', async () => {
    for (const { operation } of endpoints) {
      const { stdout } = await run(['call', operation, '--help'], { columns: 80 });
      const plain = stripVTControlCharacters(stdout);
      expect(plain).not.toMatch(/\[\d+m|client\./);
      // The example cannot be broken within a value.
      const lines = plain.split('\n').filter((line) => line.includes(' ') && !/^ {2}\w+=/.test(line));
      for (const line of lines) expect(line.length, line).toBeLessThanOrEqual(80);
    }
  });
});
