import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { root } from '@multilocal/test/docs/blocks';
import { closedPort, sendJson, serve } from '@multilocal/test/support/server';
import { type Certificate, identityOf, listen } from '@multilocal/test/support/tls';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Report } from '../../src/doctor/finding.js';
import { plural } from '../../src/words.js';
import { type Result, run, start, startMock } from './support.js';

const reportSchema = z.strictObject({
  ok: z.boolean(),
  findings: z.array(
    z.strictObject({
      check: z.enum(['node', 'address', 'proxy', 'tls', 'clock', 'key', 'scope', 'permissions', 'limits', 'accounts']),
      status: z.enum(['ok', 'warning', 'problem']),
      found: z.string().regex(/^[^\s].*\.$/),
      advice: z.nullable(z.string().regex(/^[^\s].*[.)]$|https:\/\/api\.example\.com$/)),
    }),
  ),
  requests: z.int().min(0).max(4),
  error: z.optional(z.strictObject({ code: z.string(), message: z.string(), outcome: z.string(), hint: z.string() })),
});

const KEY = 'mlk_secret_of_this_test';
const HEALTH = { status: 'ok', api_version: '2.0', timestamp: '2026-11-21T09:30:00Z' };
const certificate = (name: Certificate) => join(root, 'test/support/certificates', `${name}.pem`);

/** The report of a result that has the stable form. */
function reportOf({ stdout }: Result): Report {
  const report = reportSchema.parse(JSON.parse(stdout));
  const isStrict = report.error?.code === 'warnings';
  const failing = isStrict ? ['warning'] : ['problem'];
  expect(report.ok).toBe(report.findings.every(({ status }) => !failing.includes(status)));
  expect(report.error === undefined).toBe(report.ok);
  return report as Report;
}

async function diagnose(env: Record<string, string>, ...flags: string[]) {
  const result = await run(['doctor', ...flags], { env });
  expect(result.stdout + result.stderr).not.toContain(KEY);
  const report = reportOf(result);
  const found = (status: string) => report.findings.filter((one) => one.status === status);
  return { ...report, code: result.code, problems: found('problem'), warnings: found('warning') };
}

/** Removes what differs between runs. */
function settled(text: string): string {
  return text.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:PORT').replace(/Node \d+\.\d+\.\d+/g, 'Node VERSION');
}

/** The exit code, the number of requests, and the findings that a key of the whole brand does not have. */
function told(what: string, { findings, code, requests }: Awaited<ReturnType<typeof diagnose>>): string {
  const isUsual = ({ status, found }: Report['findings'][number]) =>
    status === 'ok'
      ? !found.includes('one location')
      : /\(bulle_id \w+\) (has lost its access|is not connected)/.test(found);
  const lines = findings.flatMap((one) =>
    isUsual(one)
      ? []
      : [`${one.status} ${one.check}: ${one.found}`, ...(one.advice === null ? [] : [`→ ${one.advice}`])],
  );
  return settled(`${[`${what}: exit ${code} after ${plural(requests, 'request')}`, ...lines].join('\n')}\n\n`);
}

describe('doctor of an address that works', () => {
  it('sends four requests, the key only after the address works, and names the accounts that must be connected again', async () => {
    const { env, api } = await startMock();
    const { ok, requests, warnings, code } = await diagnose(env);
    expect([ok, requests, code]).toEqual([true, 4, 0]);
    expect(api.requests.map(({ path, headers }) => [path.replace(/.*v2/, ''), 'x-api-key' in headers])).toEqual([
      ['/health', false],
      ['/me', true],
      ['/connections', true],
      ['/bulles', true],
    ]);
    expect(warnings.map(({ check }) => check)).toEqual(['accounts', 'accounts', 'accounts']);
  });

  it('fails with --strict if there is a warning', async () => {
    const { env, api } = await startMock();
    const { ok, error, code } = await diagnose(env, '--strict');
    const message = 'Address and key work, but there are 3 warnings.';
    expect([ok, code, error]).toMatchObject([false, 1, { code: 'warnings', message }]);
    const { stdout, code: exit } = await run(['doctor', '--strict', '--no-json'], { env });
    const sentence = 'with 3 warnings. With `--strict`, this is a failure.';
    expect([exit, stdout]).toEqual([1, expect.stringContaining(sentence)]);
    const as = (MULTILOCAL_API_KEY: string) => diagnose({ ...env, MULTILOCAL_API_KEY }, '--strict');
    expect(await as(api.keys.bulle)).toMatchObject({ ok: true, code: 0 });
    // The exit code of a problem says more.
    expect(await as(api.keys.expired)).toMatchObject({ code: 4, error: { code: 'authentication' } });
  });

  it('keeps to the limits of its flags', async () => {
    const { env, api } = await startMock();
    const { problems, code } = await diagnose(env, '--per-minute', '1', '--max-wait', '0');
    expect([problems.map(({ check }) => check), code, api.requests.length]).toEqual([['accounts'], 3, 2]);
  });

  it('explains what a key lacks, and sends no key that cannot be one', async () => {
    type Scene = [
      what: string,
      key?: 'sphere' | 'bulle' | 'readOnly' | 'expired',
      fault?: object | undefined,
      given?: string,
    ];
    const scenes: Scene[] = [
      ['a key of one location', 'bulle'],
      ['a key that only reads', 'readOnly'],
      ['a key that is refused', 'expired'],
      ['a key without a permission', 'sphere', { operation: 'me', status: 403 }],
      ['a key without requests', 'sphere', { operation: 'me', status: 429 }],
      ['a key that cannot be checked', 'sphere', { operation: 'me', status: 503 }],
      ['no accounts', 'sphere', { operation: 'connections.list', status: 200, body: [] }],
      ['accounts that cannot be read', 'sphere', { operation: 'connections.list', status: 503 }],
      ['locations that cannot be read', 'sphere', { operation: 'bulles.list', status: 503 }],
      ['a key in quotes', 'sphere', undefined, `"${KEY}"`],
      ['a key with a space', 'sphere', undefined, `${KEY} and more`],
      ['a key with Bearer', 'sphere', undefined, `Bearer ${KEY}`],
      ['no key', 'sphere', undefined, ''],
    ];
    let text = '';
    for (const [what, key = 'sphere', fault, given] of scenes) {
      const { env, api } = await startMock();
      if (fault) api.fail(fault as Parameters<typeof api.fail>[0]);
      text += told(what, await diagnose({ ...env, MULTILOCAL_API_KEY: given ?? api.keys[key] }));
      expect(api.requests.some(({ headers }) => 'x-api-key' in headers)).toBe(given === undefined);
    }
    await expect(text).toMatchFileSnapshot('snapshots/doctor-keys.txt');
  });

  it('notices a clock that is three hours off', async () => {
    const { url } = await serve((_, response) =>
      sendJson(response, HEALTH, 200, { date: new Date(Date.now() + 3 * 3_600_000).toUTCString() }),
    );
    const { warnings } = await diagnose({ MULTILOCAL_BASE_URL: url, MULTILOCAL_API_KEY: KEY });
    const found = 'The clock of this machine is 3 hours behind the clock of the service.';
    expect(warnings).toMatchObject([{ check: 'clock', found }]);
  });
});

describe('doctor of an address that does not work', () => {
  const withAddress = (MULTILOCAL_BASE_URL: string, more: Record<string, string> = {}) =>
    diagnose({ MULTILOCAL_BASE_URL, MULTILOCAL_API_KEY: KEY, ...more });
  const at = (url: string) => async () => ({ url, arrived: [] });
  const answering =
    (status: number, headers: Record<string, string>, body = '') =>
    async () => {
      const { url, arrived } = await serve((_, response) => response.writeHead(status, headers).end(body));
      return { url: `${url}/tenant`, arrived };
    };
  const page = (status: number, body = 'nope') => answering(status, { 'content-type': 'text/html' }, body);
  const redirect = (location: string) => answering(301, { location });

  it('explains what is at the address instead, and sends no key', async () => {
    const scenes: [what: string, where: () => Promise<{ url: string; arrived: readonly { headers: object }[] }>][] = [
      ['http', at('http://api.example.com')],
      ['no scheme', at('api.example.com')],
      ['quotes', at("'https://api.example.com'")],
      ['a password', at('https://u:p@api.example.com')],
      ['a name that does not resolve', at('https://service.invalid')],
      ['a refused connection', async () => at(await closedPort())()],
      ['a redirect to another path', redirect('/login')],
      ['a redirect to another host', redirect('https://other.example.com/x')],
      ['a web page', page(200, '<html>')],
      ['other JSON', answering(200, { 'content-type': 'application/json' }, '{"hello":1}')],
      ['a 404', page(404)],
      ['a 403', page(403)],
      ['a 503', page(503)],
    ];
    let text = '';
    for (const [what, where] of scenes) {
      const { url, arrived } = await where();
      text += told(what, await withAddress(url));
      expect(arrived.flatMap(({ headers }) => Object.keys(headers))).not.toContain('x-api-key');
    }
    await expect(text).toMatchFileSnapshot('snapshots/doctor-addresses.txt');
  });

  it('tells about a proxy that Node does not use', async () => {
    const { warnings } = await withAddress('https://127.0.0.1:2', { HTTPS_PROXY: 'http://127.0.0.1:2' });
    expect(warnings).toMatchObject([{ check: 'proxy', found: expect.stringContaining('HTTPS_PROXY') }]);
  });

  it.each([
    ['localhost', '127.0.0.1', undefined, /does not trust/, /NODE_EXTRA_CA_CERTS/],
    ['expired', '127.0.0.1', 'expired', /has expired/, /clock/],
    ['other-host', '127.0.0.1', 'other-host', /another host/, /host name/],
  ] as const)('explains the certificate %s', async (shown, host, trusted, found, advice) => {
    const port = await listen(createTlsServer(identityOf(shown), (_, response) => sendJson(response, HEALTH)));
    const more = trusted && { NODE_EXTRA_CA_CERTS: certificate(trusted) };
    const { problems, code } = await withAddress(`https://${host}:${port}`, more);
    expect([problems, code]).toMatchObject([[{ check: 'tls' }], 1]);
    expect(problems[0]?.found).toMatch(found);
    expect(problems[0]?.advice).toMatch(advice);
    expect(JSON.stringify(problems)).not.toContain('REJECT_UNAUTHORIZED');
  });

  it('finds nothing wrong with a certificate that NODE_EXTRA_CA_CERTS makes trusted', async () => {
    const port = await listen(createTlsServer(identityOf('localhost'), (_, response) => sendJson(response, HEALTH)));
    const more = { NODE_EXTRA_CA_CERTS: certificate('localhost') };
    const { findings } = await withAddress(`https://localhost:${port}`, more);
    expect(findings).toContainEqual(expect.objectContaining({ check: 'tls', status: 'ok' }));
  });

  it('explains https at a port of http', async () => {
    const { url } = await serve((_, response) => sendJson(response, HEALTH));
    const { problems } = await withAddress(url.replace('http:', 'https:'));
    expect(problems).toMatchObject([{ check: 'tls', found: expect.stringContaining('does not speak https') }]);
  });
});

describe('doctor on a terminal', () => {
  it('says what it found, what is missing, and shows problems in colour', async () => {
    const { env, api } = await startMock();
    const on = async (more: Record<string, string>) => {
      const { stdout, code } = await run(['doctor'], { env: more, columns: 80 });
      for (const line of stripVTControlCharacters(stdout).split('\n')) expect(line.length).toBeLessThanOrEqual(80);
      return `exit ${code}\n${settled(stdout)}\n`;
    };
    const plain = { NO_COLOR: '1' };
    const shown = [
      await on({ ...env, ...plain }),
      await on(plain),
      await on({ ...env, MULTILOCAL_API_KEY: api.keys.expired }),
    ];
    await expect(shown.join('')).toMatchFileSnapshot('snapshots/doctor.txt');
  });

  it('ends at Ctrl-C', async () => {
    const { url, arrived } = await serve(() => {});
    const running = start(['doctor'], { env: { MULTILOCAL_BASE_URL: url, MULTILOCAL_API_KEY: KEY } });
    await expect.poll(() => arrived.length, { timeout: 60_000 }).toBe(1);
    running.interrupt();
    expect(await running.result).toMatchObject({ code: 130 });
  });
});
