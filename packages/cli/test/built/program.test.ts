// The command line itself: help, versions, wrong words, keys, exit codes, pipes and colours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { Client } from 'multilocal';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod/mini';
import { rateLimitOf } from '../../src/connection.js';
import { run, start, startMock, temporaryFolder } from './support.js';

const COMMANDS = 'doctor whoami budget sync plan rehearse status journal mcp call mock init openapi'.split(' ');
const SECRET = 'not a key, but nobody may see it: 12345'.replaceAll(' ', '-');

/** Every failure off a terminal. */
const failure = z.strictObject({
  error: z.strictObject({
    code: z.string().check(z.regex(/^[a-z_]+$/)),
    message: z.string().check(z.minLength(10)),
    outcome: z.enum(['applied', 'not_applied', 'unknown']),
    hint: z.string().check(z.minLength(10)),
  }),
});

const errorOf = (stdout: string) => failure.parse(JSON.parse(stdout)).error;

describe('help and version', () => {
  it('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect(await run(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 });
  });

  it('lists every command', async () => {
    const { stdout, code } = await run(['--help']);
    expect(code).toBe(0);
    await expect(stdout).toMatchFileSnapshot('snapshots/help.txt');
    for (const name of COMMANDS) expect(stdout).toMatch(new RegExp(`^ +${name} {2,}[A-Z]`, 'm'));
  });

  it.each(COMMANDS)('%s --help goes to stdout', async (name) => {
    const { stdout, stderr, code } = await run([name, '--help']);
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`USAGE multilocal ${name}`);
    expect(stdout).toBe(stripVTControlCharacters(stdout));
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  });

  it.each(['--help', ...COMMANDS.map((name) => `${name} --help`)])('%s fits into a narrow terminal', async (words) => {
    const { stdout } = await run(words.split(' '), { tty: true, columns: 60 });
    const plain = stripVTControlCharacters(stdout);
    expect(stdout).toContain('\u001b[4m\u001b[1mUSAGE\u001b[22m\u001b[24m');
    // What is left of a colour whose first character was removed.
    expect(plain).not.toMatch(/\[\d+m/);
    for (const line of plain.split('\n')) expect(line.length, line).toBeLessThanOrEqual(60);
  });
});

describe('wrong words: exit 2, one document, nothing repeated', () => {
  it.each([
    ['no command', [], 'A command is required.'],
    ['an unknown command', ['wohami'], '`wohami` is not a command. Did you mean `whoami`?'],
    ['a key in the place of a command', [SECRET], 'The first argument is not a command.'],
    ['an unknown flag', ['whoami', '--base-ulr', SECRET], 'Did you mean `--base-url`?'],
    ['an unknown flag with a value', ['whoami', `--bsae-url=${SECRET}`], 'Did you mean `--base-url`?'],
    ['a flag without its value', ['whoami', '--base-url'], '`--base-url` needs a value.'],
    ['a value for a flag without one', ['whoami', '--json=yes'], '`--json` takes no value.'],
    ['no choice', ['plan', 'none.yaml', '--locale', SECRET], '`--locale` must be en or fr.'],
    ['a surplus argument', ['whoami', SECRET], '`whoami` takes no arguments; received 1.'],
    ['a missing argument', ['call'], '`call` needs <operation>.'],
    ['a key as a flag', ['whoami', '--api-key', SECRET], 'there is no flag for it'],
    ['a key as a flag, in another way', ['whoami', `--key=${SECRET}`], 'there is no flag for it'],
    ['a token as a flag', ['whoami', `--token=${SECRET}`], 'there is no flag for it'],
  ])('%s', async (_, words, text) => {
    const { stdout, stderr, code } = await run(words);
    expect([code, stderr]).toEqual([2, '']);
    expect(errorOf(stdout)).toMatchObject({ code: 'usage', outcome: 'not_applied' });
    expect(errorOf(stdout).message).toContain(text);
    expect(stdout).not.toContain(SECRET);
  });

  it('on a terminal: text, and the help if there is no command', async () => {
    const { stdout, code } = await run(['wohami'], { tty: true, env: { NO_COLOR: '1' } });
    expect([code, stdout]).toEqual([
      2,
      `error \`wohami\` is not a command. Did you mean \`whoami\`?\nCommands: ${COMMANDS.join(', ')}.\n`,
    ]);
    expect((await run([], { tty: true })).stdout).toContain('COMMANDS');
  });
});

describe('the key', () => {
  const folder = mkdtempSync(join(tmpdir(), 'multilocal-key-'));
  beforeAll(() => () => rmSync(folder, { recursive: true }));

  beforeAll(() => writeFileSync(join(folder, 'utf16'), Buffer.from('\ufeffkey', 'utf16le')));

  it('comes from a file or from stdin, with white space around it', async () => {
    const { env, url } = await startMock();
    const file = join(folder, 'key');
    writeFileSync(file, `  ${env.MULTILOCAL_API_KEY}\n`);
    const fromFile = await run(['whoami', '--key-file', file, '--base-url', url]);
    const input = `${env.MULTILOCAL_API_KEY}\n`;
    const fromStdin = await run(['whoami', '--key-stdin', `--base-url=${url}/api/v2/`], { input });
    for (const { code, stdout } of [fromFile, fromStdin]) {
      expect([code, JSON.parse(stdout).bulle]).toEqual([0, null]);
      expect(stdout).not.toContain(env.MULTILOCAL_API_KEY);
    }
  });

  it.each([
    ['an empty file', ['--key-file', '/dev/null'], 2, 'usage'],
    ['no file', ['--key-file', join(folder, 'nothing')], 2, 'usage'],
    ['a file in UTF-16', ['--key-file', join(folder, 'utf16')], 2, 'usage'],
    ['an empty stdin', ['--key-stdin'], 2, 'usage'],
    ['both', ['--key-stdin', '--key-file', 'key'], 2, 'usage'],
    ['none at all', [], 2, 'configuration'],
  ])('%s', async (_, words, exit, kind) => {
    const { url } = await startMock();
    const { stdout, code } = await run(['whoami', '--base-url', url, ...words]);
    expect([code, errorOf(stdout).code]).toEqual([exit, kind]);
  });

  it('that is refused: exit 4', async () => {
    const { api, url } = await startMock();
    for (const key of [api.keys.expired, SECRET]) {
      const { stdout, stderr, code } = await run(['whoami', '--base-url', url], { env: { MULTILOCAL_API_KEY: key } });
      expect([code, errorOf(stdout).code]).toEqual([4, 'authentication']);
      expect(stdout + stderr).not.toContain(key);
    }
  });
});

describe('a key in the place of an argument', () => {
  const KEY = ['mlk', 'live', 'AbCdEfGhIjKlMnOpQrSt'].join('_');

  it.each([
    ['a plan', ['rehearse', KEY]],
    ['a folder', ['init', 'astro', KEY]],
    ['a seed', ['mock', '--seed', KEY]],
    ['a host', ['mock', '--host', KEY]],
    ['a host in lower case', ['whoami', '--base-url', `https://${KEY.replaceAll('_', '-')}.invalid`]],
    ['a command', [KEY.replace(/[^a-z]/gi, '-').slice(0, 20)], KEY.replace(/[^a-z]/gi, '-').slice(0, 20)],
  ])('is not repeated: %s', async (_, words, key = KEY) => {
    const { stdout, stderr } = await run(words, { env: { MULTILOCAL_API_KEY: key }, cwd: temporaryFolder() });
    const printed = (stdout + stderr).toLowerCase().replaceAll('_', '-');
    expect(printed).not.toContain(key.toLowerCase().replaceAll('_', '-'));
    expect(printed.length).toBeGreaterThan(10);
  });
});

describe('messages speak of the command line', () => {
  /** Names of the library: options in camelCase, methods, the constructor. */
  const LIBRARY =
    /`?\b(apiKey|baseUrl|allowHttp|maxWait|totalTimeout|rateLimit|maxRetries|validation)\b|client\.|`Client`|last argument|await/;

  it.each([
    ['a key in quotes', ['whoami'], { MULTILOCAL_API_KEY: '"abc"' }, 'The key is wrapped in quotes.'],
    ['a key with spaces', ['whoami'], { MULTILOCAL_API_KEY: 'Bearer abc' }, 'The key must be the key only'],
    ['an empty address', ['whoami'], { MULTILOCAL_BASE_URL: ' ' }, 'The address of the service is empty.'],
    ['no address', ['whoami'], { MULTILOCAL_BASE_URL: 'api.invalid' }, 'The address of the service must be an address'],
    ['http', ['whoami'], { MULTILOCAL_BASE_URL: 'http://api.invalid' }, 'Set `--allow-http`'],
    ['no connection', ['call', 'sites.list'], { MULTILOCAL_BASE_URL: 'http://127.0.0.1:65534' }, 'Check the address'],
    ['an option', ['call', 'posts.list', 'timeout=5'], {}, '`timeout` is not a parameter.'],
    ['a page', ['call', 'articles.list', 'limit=5'], {}, '`limit` is an unknown parameter.'],
  ])('%s', async (_, words, more, text) => {
    const { env } = await startMock();
    const { stdout, stderr } = await run(words, { env: { ...env, ...more } });
    expect(errorOf(stdout).message).toContain(text);
    expect(stdout + stderr).not.toMatch(LIBRARY);
  });

  it.each([
    ['401', { status: 401 }, 'Check the key.'],
    ['404', { status: 404, body: {} }, 'check the address of the service.'],
    [
      'a redirect',
      { status: 301, headers: { location: 'https://other.invalid/x' } },
      'Set the address of the service to the final address.',
    ],
    ['a page', { status: 200, body: '<!doctype html>' }, 'the address of the service may be the address of a website'],
    ['another shape', { status: 200, body: [{ id: 'x', site_url: 5 }] }, 'Report the difference'],
    ['a missing location', { status: 400, detail: 'Précisez `bulle_id`' }, 'npx multilocal call bulles.list'],
    ['a missing listing', { status: 400, detail: 'Précisez `fiche_id`' }, 'npx multilocal whoami'],
  ])('%s of the service', async (_, fault, text) => {
    const { env, api } = await startMock();
    api.fail({ operation: 'sites.list', ...fault, times: 9 });
    const { stdout, stderr } = await run(['call', 'sites.list'], { env });
    expect(errorOf(stdout).message).toContain(text);
    expect(stdout + stderr).not.toMatch(LIBRARY);
  });

  it.each([
    ['posts.create', ['content=Pain', 'platforms=gmb'], '`npx multilocal call posts.list` shows the post'],
    ['articles.create', ['title=Pain', 'target_keyword=pain'], '`npx multilocal call articles.list status=all` shows'],
    ['seo.scan', [], '`npx multilocal call seo.snapshot` shows'],
  ])('a lost %s', async (operation, words, text) => {
    const { env, api } = await startMock();
    api.fail({ operation, status: 502 });
    const { stdout } = await run(['call', operation, ...words, `bulle_id=${api.ids.bulle}`, '--yes'], { env });
    expect(errorOf(stdout).message).toContain(text);
  });

  it('a used-up rate limit, and the warning of a long wait', async () => {
    const cwd = temporaryFolder();
    const { env } = await startMock({ rateLimit: { perMinute: 60, perDay: 1 } });
    const { stdout } = await run(['sync', 'one'], { env, cwd });
    expect(errorOf(stdout).message).toMatch(
      /has room in \d+ s, which is longer than `--max-wait` \(10 minutes without it\)/,
    );
    expect(stdout).not.toMatch(LIBRARY);

    const slow = await startMock({ rateLimit: { perMinute: 1, perDay: 9 } });
    const waiting = start(['sync', 'two'], { env: slow.env, cwd });
    await waiting.shows('Set `--max-wait` (ms) to fail instead of waiting that long.');
    expect(waiting.printed()).not.toMatch(LIBRARY);
  });
});

describe('the limits of a command', () => {
  it.each([
    ['per-minute', '0', 'must be an integer, 1 or more'],
    ['per-day', '1e3', 'must be an integer, 1 or more'],
    ['reserve', '-1', 'must be an integer, 0 or more'],
    ['max-wait', '10 minutes', 'must be a number of ms, or a time such as 30s'],
    ['max-wait', '9007199254740993', 'must be a number of ms'],
  ])('--%s=%s is refused, and nothing is sent', async (flag, value, text) => {
    const { env, api } = await startMock();
    const { stdout, code } = await run(['doctor', `--${flag}=${value}`], { env });
    expect([code, api.requests]).toEqual([2, []]);
    expect(errorOf(stdout).message).toContain(`\`--${flag}\` ${text}`);
  });

  it.each([
    ['500', 500],
    ['500ms', 500],
    ['30s', 30_000],
    ['10m', 600_000],
    ['1h', 3_600_000],
  ])('--max-wait %s is %i ms', (flag, maxWait) => {
    expect(rateLimitOf({ 'max-wait': flag })).toEqual({ maxWait });
  });

  it.each([
    ['--per-minute', ['--per-minute', '1']],
    ['--per-day', ['--per-day', '1']],
    ['--reserve', ['--reserve', '60']],
  ])('%s holds requests back, and --max-wait ends the wait', async (_, flags) => {
    const { env, api } = await startMock();
    const { stdout, code } = await run(['sync', temporaryFolder(), ...flags, '--max-wait', '5s'], { env });
    expect([code, errorOf(stdout).code, api.requests.length]).toEqual([3, 'rate_limit', 1]);
  });

  it.each(['doctor', 'whoami', 'budget', 'sync', 'plan', 'rehearse', 'status', 'mcp', 'call', 'init'])(
    'are flags of %s',
    async (name) => {
      const { stdout } = await run([name, '--help']);
      for (const flag of ['per-minute=<n>', 'per-day=<n>', 'reserve=<n>', 'max-wait=<time>'])
        expect(stdout).toContain(`--${flag}`);
    },
  );
});

describe('exit codes', () => {
  const POST = ['call', 'posts.create', 'content=Bonjour', 'platforms=gmb', 'bulle_id=bul_lyon_croix_rousse', '--yes'];

  it.each([
    ['a permission that the key lacks', 'readOnly', POST, {}, 4, 'permission_denied'],
    [
      'a target outside the scope',
      'bulle',
      ['call', 'social.quota', 'bulle_id=bul_nantes_talensac'],
      {},
      4,
      'bulle_out_of_scope',
    ],
    ['nothing there', 'sphere', ['call', 'articles.get', 'article_id=99999'], {}, 1, 'not_found'],
    ['a target missing', 'sphere', ['call', 'social.quota'], {}, 1, 'missing_bulle_id'],
    ['5xx of a read', 'sphere', ['call', 'sites.list'], { status: 503 }, 3, 'service_unavailable'],
    ['a broken connection', 'sphere', ['call', 'sites.list'], { network: true }, 3, 'connection'],
    ['5xx of a write: its outcome is unknown', 'sphere', POST, { status: 502 }, 5, 'bad_gateway'],
    [
      'a rate limit with a long wait',
      'sphere',
      ['call', 'sites.list'],
      { status: 429, headers: { 'retry-after': '3600' } },
      3,
      'rate_limit',
    ],
    ['no JSON', 'sphere', ['call', 'sites.list'], { status: 200, body: '<html>' }, 1, 'invalid_response'],
  ] as const)('%s', async (_, key, words, fault, exit, kind) => {
    const { api, url } = await startMock();
    if (Object.keys(fault).length > 0) api.fail({ ...fault, times: 9 } as Parameters<typeof api.fail>[0]);
    const env = { MULTILOCAL_API_KEY: api.keys[key], MULTILOCAL_BASE_URL: url };
    const { stdout, code } = await run([...words], { env });
    expect([code, errorOf(stdout).code]).toEqual([exit, kind]);
  });

  it('a used-up quota is no reason for another try', async () => {
    const { env } = await startMock({ quotas: { social: 0 } });
    const words = [
      'call',
      'social.publish',
      'platforms=gmb',
      'text=Bonjour',
      'bulle_id=bul_lyon_croix_rousse',
      '--yes',
    ];
    const { stdout, code } = await run(words, { env });
    expect([code, errorOf(stdout).code]).toEqual([1, 'quota_exceeded']);
  });

  it('nobody listens: exit 3', async () => {
    const env = { MULTILOCAL_API_KEY: SECRET, MULTILOCAL_BASE_URL: 'http://127.0.0.1:1' };
    const { stdout, code } = await run(['call', 'sites.list'], { env });
    expect([code, errorOf(stdout).code]).toEqual([3, 'connection']);
  });

  it('http: to another machine needs --allow-http', async () => {
    const words = ['whoami', '--base-url', 'http://mock.invalid:4010'];
    const env = { MULTILOCAL_API_KEY: SECRET };
    expect((await run(words, { env })).code).toBe(2);
  });
});

describe('what people see', () => {
  it.each(['whoami', 'budget'])('%s', async (command) => {
    const { env } = await startMock();
    const { stdout } = await run([command], { env: { ...env, NO_COLOR: '1' }, tty: true });
    await expect(stdout).toMatchFileSnapshot(`snapshots/${command}.txt`);
  });

  it('colours only on a terminal that has them', async () => {
    const { env } = await startMock();
    const colours = async (more: Record<string, string>, tty: boolean) => {
      const { stdout } = await run(['whoami', '--no-json'], { env: { ...env, ...more }, tty });
      return stdout !== stripVTControlCharacters(stdout);
    };
    expect(await colours({}, true)).toBe(true);
    expect(await colours({ NO_COLOR: '1' }, true)).toBe(false);
    expect(await colours({ TERM: 'dumb' }, true)).toBe(false);
    expect(await colours({}, false)).toBe(false);
  });

  it.each([[[]], [['--per-minute', '3', '--per-day', '4', '--reserve', '2']]])(
    'budget %j shows the limits of the key, with one request',
    async (flags) => {
      const { env, api } = await startMock({ rateLimit: { perMinute: 7, perDay: 90 } });
      const { stdout } = await run(['budget', ...flags], { env });
      expect([JSON.parse(stdout), api.requests.length]).toEqual([
        { minute: { limit: 7, used: 1, left: 6 }, day: { limit: 90, used: 1, left: 89 } },
        1,
      ]);
    },
  );
});

describe('pipes', () => {
  /** Starts a program of this folder. Returns its exit code and what it wrote to stderr. */
  async function ended(command: string, words: readonly string[], env: object, stdout: 'pipe' | number = 'pipe') {
    const child = spawn(command, words, {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', stdout, 'pipe'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const errors = text(child.stderr as Readable);
    const [code] = await once(child, 'close');
    return [code, await errors];
  }

  it('a closed pipe is no error', async () => {
    const { env } = await startMock();
    const line = 'set -o pipefail; node dist/cli.js call articles.list | head -c 10';
    expect(await ended('bash', ['--norc', '-c', line], env)).toEqual([0, '']);
  });

  it('a full disk: exit 1, and a remark', async () => {
    const { env } = await startMock();
    const words = ['dist/cli.js', 'call', 'posts.list'];
    const remark = 'The result could not be written to stdout (ENOSPC).\n';
    expect(await ended(process.execPath, words, env, openSync('/dev/full', 'w'))).toEqual([1, remark]);
  });

  it('what a service says controls neither a terminal nor GitHub', async () => {
    const { env, api } = await startMock();
    api.fail({ operation: 'sites.list', status: 404, detail: 'x\u001b[2J\u001b]0;title\u0007\n::warning::y' });
    const options = { env: { ...env, GITHUB_ACTIONS: 'true' } };
    const { stderr } = await run(['call', 'sites.list', '--no-json'], options);
    for (const control of ['\u001b[2J', '\u001b]', '\u0007']) expect(stderr).not.toContain(control);
    expect(stderr).not.toMatch(/^::/m);
  });

  it.each([['--no-json'], ['--json']])('nor does it on stdout with %s', async (form) => {
    const { env, api } = await startMock();
    const client = new Client({ apiKey: api.keys.sphere, baseUrl: env.MULTILOCAL_BASE_URL });
    const me = await client.me();
    // C1 controls, DEL and marks that reverse the order of the characters.
    const name = 'a\u009b2J\u0085\u007f\u202eb\u2066\n  ::add-mask::c\n\u0007::error::d ##[group]e ##vso[task.x]f';
    const gmb_fiches = [{ ...me.gmb_fiches[0], name }];
    api.fail({ operation: 'me', status: 200, body: { ...me, gmb_fiches } });
    const { stdout } = await run(['whoami', form], { env });
    expect(stdout).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_C}]/u);
    expect(stdout).not.toMatch(/^\s*::/m);
    expect(stdout).not.toMatch(/##\w*\[/);
    if (form === '--json') expect(JSON.parse(stdout).gmb_fiches).toEqual(gmb_fiches);
    else expect(stdout).toContain('\\u009b2J');
  });

  it('openapi prints the document', async () => {
    const { stdout, code } = await run(['openapi']);
    expect([code, JSON.parse(stdout)]).toEqual([0, JSON.parse(readFileSync('dist/openapi.json', 'utf8'))]);
  });

  it('MULTILOCAL_LOG=debug writes to stderr', async () => {
    const { env } = await startMock();
    const { stdout, stderr } = await run(['call', 'spheres.list'], { env: { ...env, MULTILOCAL_LOG: 'debug' } });
    expect(JSON.parse(stdout)).toHaveLength(1);
    expect(stderr).toContain('spheres.list');
    expect(stderr).not.toContain(env.MULTILOCAL_API_KEY);
  });
});
