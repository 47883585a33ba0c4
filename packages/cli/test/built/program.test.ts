// The command line itself: help, versions, wrong words, keys, exit codes, pipes and colours.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { stripVTControlCharacters } from 'node:util';
import { Client } from 'multilocal';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rateLimitOf } from '../../src/connection.js';
import { type Line, refusals, run, start, startMock, temporaryFolder } from './support.js';

const COMMANDS = 'doctor whoami budget sync watch plan rehearse status journal mcp call mock init openapi'.split(' ');
const SECRET = 'not a key, but nobody may see it: 12345'.replaceAll(' ', '-');

it('--version prints the version of the package', async () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(await run(['--version'])).toEqual({ stdout: `${version}\n`, stderr: '', code: 0 });
});

it('--help, of all commands and of each, goes to stdout and fits into any terminal', async () => {
  let pages = '';
  for (const words of [['--help'], ...COMMANDS.map((name) => [name, '--help'])]) {
    const { stdout, stderr, code } = await run(words);
    expect([code, stderr, stdout]).toEqual([0, '', stripVTControlCharacters(stdout)]);
    for (const line of stdout.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
    pages += stdout;

    // All have their colours from one function.
    const isFirst = pages === stdout;
    const { stdout: narrow } = await run(words, { columns: 60, tty: isFirst });
    const plain = stripVTControlCharacters(narrow);
    if (isFirst) expect(narrow).toContain('\u001b[4m\u001b[1mUSAGE\u001b[22m\u001b[24m');
    // What is left of a colour whose first character was removed.
    expect(plain).not.toMatch(/\[\d+m/);
    for (const line of plain.split('\n')) expect(line.length, line).toBeLessThanOrEqual(60);
  }
  await expect(pages).toMatchFileSnapshot('snapshots/help.txt');
});

describe('a command that cannot do its work', () => {
  const KEY = { MULTILOCAL_API_KEY: SECRET };
  const LYON = 'bulle_id=bul_lyon_croix_rousse';
  const POST = `call posts.create content=Bonjour platforms=gmb ${LYON} --yes`;
  const SITES = 'call sites.list';
  const sites = (fault: object): Line => [SITES, { fault: { operation: 'sites.list', ...fault, times: 9 } }];
  const address = (MULTILOCAL_BASE_URL: string, words = 'whoami'): Line => [words, { env: { MULTILOCAL_BASE_URL } }];
  const lost = (operation: string, words: string): Line => [
    `call ${operation} ${words} ${LYON} --yes`,
    { fault: { operation, status: 502 } },
  ];

  const LINES: Line[] = [
    // Wrong words.
    [''],
    ['wohami'],
    [SECRET],
    [`whoami --base-ulr ${SECRET}`],
    [`whoami --bsae-url=${SECRET}`],
    ['whoami --base-url'],
    ['whoami --json=yes'],
    ['whoami --no-json --json'],
    ['sync one --bulle one --bulle two'],
    [`plan none.yaml --locale ${SECRET}`],
    [`whoami ${SECRET}`],
    ['call'],
    [`whoami --api-key ${SECRET}`],
    [`whoami --key=${SECRET}`],
    [`whoami --token=${SECRET}`],
    // Limits.
    ['doctor --per-minute=0'],
    ['doctor --per-day=1e3'],
    ['doctor --reserve=-1'],
    ["doctor '--max-wait=10 minutes'"],
    ['doctor --max-wait=9007199254740993'],
    ['doctor --out x.json'],
    ['doctor --contract --probe-dry-run bul_lyon_croix_rousse'],
    ['sync one --per-minute 1 --max-wait 5s'],
    ['sync one --per-day 1 --max-wait 5s'],
    ['sync one --reserve 60 --max-wait 5s'],
    ['sync one', { mock: { rateLimit: { perMinute: 60, perDay: 1 } } }],
    // The key.
    ['whoami --key-file /dev/null'],
    ['whoami --key-file nothing'],
    ['whoami --key-stdin'],
    ['whoami --key-stdin --key-file key'],
    ['whoami', { env: { MULTILOCAL_API_KEY: undefined } }],
    ['whoami', { env: { MULTILOCAL_API_KEY: '"abc"' } }],
    ['whoami', { env: { MULTILOCAL_API_KEY: 'Bearer abc' } }],
    ['whoami', { key: 'expired' }],
    ['whoami', { env: KEY }],
    [POST, { key: 'readOnly' }],
    ['call social.quota bulle_id=bul_nantes_talensac', { key: 'bulle' }],
    ['call social.quota'],
    // The address.
    address(' '),
    address('api.invalid'),
    address('http://api.invalid'),
    ['whoami --base-url http://mock.invalid:4010'],
    address('http://127.0.0.1:65534', SITES),
    // Parameters.
    ['call posts.list timeout=5'],
    ['call articles.list limit=5'],
    ['call articles.get article_id=99999'],
    // The service.
    sites({ status: 401 }),
    sites({ status: 404, body: {} }),
    sites({ status: 301, headers: { location: 'https://other.invalid/x' } }),
    sites({ status: 200, body: '<!doctype html>' }),
    sites({ status: 200, body: [{ id: 'x', site_url: 5 }] }),
    sites({ status: 400, detail: 'Précisez `bulle_id`' }),
    sites({ status: 400, detail: 'Précisez `fiche_id`' }),
    sites({ status: 503 }),
    sites({ network: true }),
    sites({ status: 429, headers: { 'retry-after': '3600' } }),
    [`call social.publish platforms=gmb text=Bonjour ${LYON} --yes`, { mock: { quotas: { social: 0 } } }],
    lost('posts.create', 'content=Pain platforms=gmb'),
    lost('articles.create', 'title=Pain target_keyword=pain'),
    lost('seo.scan', ''),
  ];

  /** Names of the library: options in camelCase, methods, the constructor. */
  const LIBRARY =
    /`?\b(apiKey|baseUrl|allowHttp|maxWait|totalTimeout|rateLimit|maxRetries|validation)\b|client\.|`Client`|last argument|await/;

  it('says in one document what is wrong and what to do, in words of the command line, and repeats nothing secret', async () => {
    const text = await refusals(LINES);
    await expect(text).toMatchFileSnapshot('snapshots/refused.txt');
    const said = text.replace(/^[$#].*/gm, '');
    expect(said).not.toMatch(LIBRARY);
    expect(said).not.toContain(SECRET);
  });

  it('on a terminal: text, and the help if there is no command', async () => {
    const { stdout, code } = await run(['wohami'], { tty: true, env: { NO_COLOR: '1' } });
    expect([code, stdout.replace('journal,\n', 'journal, ')]).toEqual([
      2,
      `error \`wohami\` is not a command. Did you mean \`whoami\`?\nCommands: ${COMMANDS.join(', ')}.\n`,
    ]);
    expect((await run([], { columns: 80 })).stdout).toContain('COMMANDS');
  });

  it('warns of a long wait', async () => {
    const { env } = await startMock({ rateLimit: { perMinute: 1, perDay: 9 } });
    const waiting = start(['sync', 'two'], { env, cwd: temporaryFolder() });
    await waiting.shows('`--max-wait` ends longer waits.');
    expect(waiting.printed()).not.toMatch(LIBRARY);
  });
});

it('the key comes from a file or from stdin, with white space around it, but not in UTF-16 or behind a name', async () => {
  const { env, url } = await startMock();
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'key'), `  ${env.MULTILOCAL_API_KEY}\n`);
  writeFileSync(join(cwd, 'utf16'), Buffer.from('\ufeffkey', 'utf16le'));
  const fromFile = await run(['whoami', '--key-file', 'key', '--base-url', url], { cwd });
  const input = `${env.MULTILOCAL_API_KEY}\n`;
  const fromStdin = await run(['whoami', '--key-stdin', `--base-url=${url}/api/v2/`], { input });
  for (const { code, stdout } of [fromFile, fromStdin]) {
    expect([code, JSON.parse(stdout).bulle]).toEqual([0, null]);
    expect(stdout).not.toContain(env.MULTILOCAL_API_KEY);
  }
  writeFileSync(join(cwd, '.env'), `MULTILOCAL_API_KEY=${env.MULTILOCAL_API_KEY}\nB=2\n`);
  for (const [file, message] of [
    ['utf16', 'The file of `--key-file` is UTF-16, not UTF-8.'],
    ['.env', '`NAME=` stands before the key.'],
  ] as const) {
    const refused = await run(['whoami', '--key-file', file, '--base-url', url], { cwd });
    expect([refused.code, JSON.parse(refused.stdout).error.message]).toEqual([2, message]);
  }
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

it.each([
  ['500', 500],
  ['500ms', 500],
  ['30s', 30_000],
  ['10m', 600_000],
  ['1h', 3_600_000],
])('--max-wait %s is %i ms', (flag, maxWait) => {
  expect(rateLimitOf({ 'max-wait': flag })).toEqual({ maxWait });
});

describe('what people see', () => {
  it.each(['whoami', 'budget'])('%s', async (command) => {
    const { env } = await startMock();
    const { stdout } = await run([command], { env: { ...env, NO_COLOR: '1' }, columns: 80 });
    await expect(stdout).toMatchFileSnapshot(`snapshots/${command}.txt`);
  });

  it('colours only on a terminal that has them', async () => {
    const { env } = await startMock();
    const colours = async (more: object, options: object = { columns: 80 }) => {
      const { stdout } = await run(['whoami', '--no-json'], { env: { ...env, ...more }, ...options });
      return stdout !== stripVTControlCharacters(stdout);
    };
    expect(await colours({}, { tty: true })).toBe(true);
    const some = [await colours({}), await colours({ NO_COLOR: '1' }), await colours({ TERM: 'dumb' })];
    expect([...some, await colours({}, {})]).toEqual([true, false, false, false]);
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
    api.fail({
      operation: 'sites.list',
      status: 404,
      detail: 'x\u001b[31m\u001b[2J\u001b]0;title\u0007\n::warning::y',
    });
    const options = { env: { ...env, GITHUB_ACTIONS: 'true' } };
    const { stderr } = await run(['call', 'sites.list', '--no-json'], options);
    for (const control of ['\u001b[31mx', 'x\u001b[31m', '\u001b[2J', '\u001b]', '\u0007'])
      expect(stderr).not.toContain(control);
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
