import { createServer as createTlsServer } from 'node:https';
import { join } from 'node:path';
import { root } from '@multilocal/test/docs/blocks';
import { closedPort, sendJson, serve } from '@multilocal/test/support/server';
import { type Certificate, identityOf, listen } from '@multilocal/test/support/tls';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Report } from '../../src/doctor/finding.js';
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

describe('doctor of a key that works', () => {
  it('sends four requests and names the accounts that must be connected again', async () => {
    const { env, api } = await startMock();
    const { ok, requests, warnings, code } = await diagnose(env);
    expect([ok, requests, code]).toEqual([true, 4, 0]);
    expect(api.requests.map(({ path }) => path.replace(/.*\/api\/v2/, ''))).toEqual([
      '/health',
      '/me',
      '/connections',
      '/bulles',
    ]);
    expect(warnings.map(({ check }) => check)).toEqual(['accounts', 'accounts', 'accounts']);
    expect(warnings[1]?.found).toMatch(/^LinkedIn .* \(bulle_id bul_lille_wazemmes\) is not connected/);
  });

  it('does not ask for the names of locations if every account is well', async () => {
    const { env, api } = await startMock();
    const { requests, warnings } = await diagnose({ ...env, MULTILOCAL_API_KEY: api.keys.bulle });
    expect([requests, warnings]).toEqual([3, []]);
  });

  it('fails with --strict if there is a warning', async () => {
    const { env, api } = await startMock();
    const { ok, error, code } = await diagnose(env, '--strict');
    expect([ok, code, error]).toMatchObject([
      false,
      1,
      { code: 'warnings', message: 'Address and key work, but there are 3 warnings.' },
    ]);
    const { stdout, code: exit } = await run(['doctor', '--strict', '--no-json'], { env });
    expect([exit, stdout]).toEqual([
      1,
      expect.stringMatching(/with 3 warnings\. With `--strict`, this is a failure\./),
    ]);
    expect(await diagnose({ ...env, MULTILOCAL_API_KEY: api.keys.bulle }, '--strict')).toMatchObject({
      ok: true,
      code: 0,
    });
    // The exit code of a problem says more.
    const refused = await diagnose({ ...env, MULTILOCAL_API_KEY: api.keys.expired }, '--strict');
    expect([refused.code, refused.error?.code]).toEqual([4, 'authentication']);
  });

  it('keeps to the limits of its flags', async () => {
    const { env, api } = await startMock();
    const { problems, code } = await diagnose(env, '--per-minute', '1', '--max-wait', '0');
    expect([problems.map(({ check }) => check), code, api.requests.length]).toEqual([['accounts'], 3, 2]);
  });

  it('sends the key only after the address works', async () => {
    const { env, api } = await startMock();
    await diagnose(env);
    expect(api.requests.map(({ headers }) => 'x-api-key' in headers)).toEqual([false, true, true, true]);
  });

  it('says what a read-only key cannot call', async () => {
    const { env, api } = await startMock();
    const { warnings, code } = await diagnose({ ...env, MULTILOCAL_API_KEY: api.keys.readOnly });
    const [permissions] = warnings;
    expect(code).toBe(0);
    expect(permissions).toMatchObject({ check: 'permissions' });
    for (const operation of ['posts.create', 'social.publish', 'posts.delete'])
      expect(permissions?.found).toContain(operation);
    expect(permissions?.found).not.toContain('posts.list');
  });

  it('shows the scope and the limits of the key', async () => {
    const { env, api } = await startMock({ rateLimit: { perMinute: 10, perDay: 100 } });
    const { findings } = await diagnose({ ...env, MULTILOCAL_API_KEY: api.keys.bulle });
    const found = (check: string) => findings.find((one) => one.check === check)?.found;
    expect(found('scope')).toMatch(/covers one location: .* need no bulle_id\.$/);
    expect(found('limits')).toBe(
      'The key has 10 requests a minute and 100 a day. A rehearsal of 3 actions needs no wait.',
    );
  });

  it('warns a week before the access to an account ends', async () => {
    const { env, api } = await startMock();
    const bulle_id = api.ids.bulle;
    const soon = new Date(Date.now() + 3 * 86_400_000);
    api.connections.change(bulle_id, 'facebook', { expires_at: soon.toISOString() });
    const { warnings, code } = await diagnose({ ...env, MULTILOCAL_API_KEY: api.keys.bulle });
    expect([warnings.length, code]).toEqual([1, 0]);
    expect(warnings[0]?.found).toContain(`ends on ${soon.toISOString().slice(0, 10)}`);
    expect(warnings[0]?.found).toContain(bulle_id);
  });

  it('says that no account is connected', async () => {
    const { env, api } = await startMock();
    api.fail({ operation: 'connections.list', status: 200, body: [] });
    const { warnings, code } = await diagnose(env);
    expect([warnings, code]).toMatchObject([[{ check: 'accounts' }], 0]);
    expect(warnings[0]?.found).toContain('No account is connected');
  });

  it('fails if the accounts cannot be read', async () => {
    const { env, api } = await startMock();
    api.fail({ operation: 'connections.list', status: 503 });
    const { problems, code, requests } = await diagnose(env);
    expect([problems, code, requests]).toMatchObject([[{ check: 'accounts' }], 3, 3]);
  });

  it('shows ids if the names of the locations cannot be read', async () => {
    const { env, api } = await startMock();
    api.fail({ operation: 'bulles.list', status: 503 });
    const { warnings, code } = await diagnose(env);
    expect(code).toBe(0);
    expect(warnings[0]?.found).toContain(' of bulle_id bul_');
  });

  it.each([-3, 3])('notices a clock that is %i hours off', async (hours) => {
    const { url } = await serve((_, response) =>
      sendJson(response, HEALTH, 200, { date: new Date(Date.now() + hours * 3_600_000).toUTCString() }),
    );
    const { warnings } = await diagnose({ MULTILOCAL_BASE_URL: url, MULTILOCAL_API_KEY: KEY });
    const side = hours < 0 ? 'ahead of' : 'behind';
    expect(warnings).toMatchObject([
      { check: 'clock', found: `The clock of this machine is 3 hours ${side} the clock of the service.` },
    ]);
  });
});

describe('doctor of a key that does not work', () => {
  it.each(['expired', 'unknown'])('exits with 4 if the key is %s', async (kind) => {
    const { env, api } = await startMock();
    const key = kind === 'expired' ? api.keys.expired : KEY;
    const { problems, code, requests, error } = await diagnose({ ...env, MULTILOCAL_API_KEY: key });
    expect([problems, code, requests, error?.code]).toMatchObject([[{ check: 'key' }], 4, 2, 'authentication']);
    expect(problems[0]?.advice).toContain('MULTILOCAL_API_KEY');
  });

  it.each([
    ['quotes', `"${KEY}"`, /quotes/],
    ['a space', `${KEY} and more`, /space/],
    ['Bearer', `Bearer ${KEY}`, /Bearer/],
    ['nothing', '', /MULTILOCAL_API_KEY is not set/],
  ])('exits with 2 if the key has %s, and still checks the address', async (_, key, words) => {
    const { env, api } = await startMock();
    const { problems, code, requests } = await diagnose({ ...env, MULTILOCAL_API_KEY: key });
    expect([problems.map(({ check }) => check), code, requests]).toEqual([['key'], 2, 1]);
    expect(problems[0]?.found).toMatch(words);
    expect(api.requests.map(({ headers }) => 'x-api-key' in headers)).toEqual([false]);
  });

  it.each([
    [429, 3],
    [503, 3],
    [403, 4],
  ])('explains a %i of GET /me', async (status, exit) => {
    const { env, api } = await startMock();
    api.fail({ operation: 'me', status });
    const { problems, code, requests } = await diagnose(env);
    expect([problems, code, requests]).toMatchObject([[{ check: 'key' }], exit, 2]);
  });
});

describe('doctor of an address that does not work', () => {
  const withAddress = (MULTILOCAL_BASE_URL: string, more: Record<string, string> = {}) =>
    diagnose({ MULTILOCAL_BASE_URL, MULTILOCAL_API_KEY: KEY, ...more });

  it('names both variables if none is set', async () => {
    const { problems, code, requests } = await diagnose({});
    expect(problems.map(({ found }) => found)).toEqual([
      'The variable MULTILOCAL_BASE_URL is not set.',
      'The variable MULTILOCAL_API_KEY is not set.',
    ]);
    expect([code, requests]).toEqual([2, 0]);
  });

  it.each(['http://api.example.com', 'api.example.com', "'https://api.example.com'", 'https://u:p@api.example.com'])(
    'refuses %s without a request',
    async (address) => {
      const { problems, code, requests } = await withAddress(address);
      expect([problems, code, requests]).toMatchObject([[{ check: 'address' }], 2, 0]);
    },
  );

  it('explains a name that does not resolve', async () => {
    const { problems, code, requests } = await withAddress('https://service.invalid');
    expect([problems, code, requests]).toMatchObject([[{ check: 'address' }], 3, 1]);
    expect(problems[0]?.found).toContain('no server with the name service.invalid');
  });

  it('explains a refused connection', async () => {
    const { problems, code } = await withAddress(await closedPort());
    expect([problems, code]).toMatchObject([[{ check: 'address' }], 3]);
    expect(problems[0]?.found).toContain('refused');
  });

  it('tells about a proxy that Node does not use', async () => {
    const { warnings } = await withAddress('https://127.0.0.1:2', { HTTPS_PROXY: 'http://127.0.0.1:2' });
    expect(warnings).toMatchObject([{ check: 'proxy' }]);
    expect(warnings[0]?.found).toContain('HTTPS_PROXY');
  });

  it.each([
    ['another path', '/login', 1, /another path/],
    ['another host', 'https://other.example.com/api/v2/health', 1, /to https:\/\/other\.example\.com\./],
  ])('does not follow a redirect to %s', async (_, location, exit, words) => {
    const { url, arrived } = await serve((_request, response) => response.writeHead(301, { location }).end());
    const { problems, code } = await withAddress(url);
    expect([problems, code, arrived.length]).toMatchObject([[{ check: 'address' }], exit, 1]);
    expect(problems[0]?.found).toMatch(words);
  });

  it.each([
    ['a web page', 200, 'text/html', '<html>', 1, /another server/],
    ['other JSON', 200, 'application/json', '{"hello":1}', 1, /another server/],
    ['a 404', 404, 'text/html', 'nope', 1, /not at this path/],
    ['a 403', 403, 'text/html', 'nope', 4, /without a login/],
    ['a 503', 503, 'text/html', 'nope', 3, /is down/],
  ])('explains %s', async (_, status, type, body, exit, words) => {
    const { url, arrived } = await serve((_request, response) =>
      response.writeHead(status, { 'content-type': type }).end(body),
    );
    const { problems, code } = await withAddress(`${url}/tenant`);
    expect([problems, code]).toMatchObject([[{ check: 'address' }], exit]);
    expect(problems[0]?.found).toMatch(words);
    expect(arrived.map(({ headers }) => 'x-api-key' in headers)).toEqual([false]);
    if (status < 403 || status === 404) expect(problems[0]?.advice).toContain('/tenant');
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
    expect(problems).toMatchObject([{ check: 'tls' }]);
    expect(problems[0]?.found).toContain('does not speak https');
  });
});

describe('doctor on a terminal', () => {
  it.each([80, 120])('fits into %i columns', async (columns) => {
    const { env } = await startMock();
    const { stdout, code } = await run(['doctor'], { env: { ...env, NO_COLOR: '1' }, tty: true, columns });
    expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
    expect(settled(stdout)).toMatchSnapshot();
    expect(code).toBe(0);
  });

  it('shows problems in colour', async () => {
    const { env, api } = await startMock();
    const { stdout, code } = await run(['doctor'], {
      env: { ...env, MULTILOCAL_API_KEY: api.keys.expired },
      tty: true,
    });
    expect(settled(stdout)).toMatchSnapshot();
    expect(code).toBe(4);
  });

  it('shows what is missing', async () => {
    const { stdout, code } = await run(['doctor'], { env: { NO_COLOR: '1' }, tty: true });
    expect(settled(stdout)).toMatchSnapshot();
    expect(code).toBe(2);
  });

  it('ends at Ctrl-C', async () => {
    const { url, arrived } = await serve(() => {});
    const running = start(['doctor'], { env: { MULTILOCAL_BASE_URL: url, MULTILOCAL_API_KEY: KEY } });
    await expect.poll(() => arrived.length, { timeout: 60_000 }).toBe(1);
    running.interrupt();
    expect(await running.result).toMatchObject({ code: 130 });
  });
});
