// The Redis, the Postgres and the Chromium of tests. `node scripts/services.mjs` installs them on Debian where
// they are missing.
import { spawn, spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, existsSync, constants as modes, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {Awaited<ReturnType<typeof startRedis>>} RedisServer */
/** @typedef {Awaited<ReturnType<typeof startPostgres>>} PostgresServer */

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const SHELL = 'chromium-headless-shell';
const ADVICE = `Tests need redis-server (or valkey-server), initdb and postgres, a Chromium or Chrome, and make, g++ and
python3. Install them so that they are on the PATH. Postgres may be below ${DEBIAN_POSTGRES}, and CHROMIUM_PATH may name the browser.
On Debian, \`node scripts/services.mjs\` installs them.`;

/** What ends each service that runs now at once. */
const running = new Set();
/** The data of every Postgres. */
const folders = new Set();

/**
 * Start a Redis on a free port of loopback. It keeps its data in memory only.
 *
 * @param {{ args?: string[]; port?: number }} [options] `args`: more of its settings, as `['--databases', '1']`.
 * @example const redis = await startRedis(); … await redis.stop();
 */
export async function startRedis({ args = [], port } = {}) {
  const chosen = port ?? (await freePort());
  // Redis writes no file. Its default folder is the current one.
  const settings = ['--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', tmpdir()];
  const command = [required(findRedis()), '--port', String(chosen), ...settings, ...args];
  const launch = () => start(command, { endAtOnce: 'SIGKILL' });
  let server = await launch();
  return {
    port: chosen,
    url: `redis://127.0.0.1:${chosen}`,
    get pid() {
      return server.pid;
    },
    kill: () => server.end('SIGKILL'),
    async restart() {
      await server.end('SIGKILL');
      server = await launch();
    },
    stop: () => server.end('SIGTERM'),
  };
}

/**
 * Start a Postgres on a free port of loopback, with an empty database. Every user may connect without a password.
 *
 * @example const postgres = await startPostgres(); … await postgres.stop();
 */
export async function startPostgres() {
  const programs = required(findPostgres());
  const folder = join(tmpdir(), `multilocal-postgres-${randomUUID()}`);
  // SIGQUIT: Postgres would leave shared memory behind after SIGKILL.
  const options = { user: 'postgres', endAtOnce: 'SIGQUIT' };
  folders.add(folder);

  const layout = ['-D', folder, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  const created = await start([programs.initdb, ...layout], { ...options, ready: 'Success' });
  await created.ended;

  const port = await freePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', 'max_connections=200'];
  const command = [programs.postgres, '-D', folder, '-p', String(port), ...settings.flatMap((one) => ['-c', one])];
  let server = await start(command, options);
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    get pid() {
      return server.pid;
    },
    async restart() {
      await server.end('SIGINT');
      server = await start(command, options);
    },
    async stop() {
      await server.end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Start a program. Resolves when it has printed `ready`, the line of both services by default. */
async function start(command, { user, endAtOnce, ready = 'eady to accept connections' }) {
  endWithThisProcess();
  const [file, ...args] = [...bound(user, endAtOnce), ...command];
  const child = spawn(file, args, { cwd: tmpdir(), stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill(endAtOnce);
  running.add(kill);
  const ended = once(child, 'close').finally(() => running.delete(kill));
  await new Promise((resolve, reject) => {
    let output = '';
    let isReady = false;
    for (const stream of [child.stdout, child.stderr]) {
      // Read to the end, because a full pipe would block the service.
      stream.setEncoding('utf8').on('data', (text) => {
        if (isReady) return;
        output += text;
        isReady = output.includes(ready);
        if (isReady) resolve();
      });
    }
    ended.then(() => reject(new Error(`${command[0]} ended before it was ready:\n${output}`)), reject);
  });
  return {
    pid: child.pid,
    ended,
    async end(signal) {
      child.kill(signal);
      await ended;
    },
  };
}

/**
 * What to put before a command so that the program ends with this process, even if this process is killed. Postgres
 * refuses to run as root, so that root runs it as `user`.
 */
function bound(user, signal) {
  if (process.platform !== 'linux') return [];
  const asUser = user && process.getuid?.() === 0 ? ['--reuid', user, '--regid', user, '--init-groups'] : [];
  return ['setpriv', '--pdeathsig', signal.replace('SIG', ''), ...asUser, '--'];
}

let isGuarded = false;

/** No service may outlive this process: end all of them on exit, and exit on a signal. */
function endWithThisProcess() {
  if (isGuarded) return;
  isGuarded = true;
  process.on('exit', () => {
    for (const kill of running) kill();
    // Postgres needs a moment to end, and writes until then.
    for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 50, retryDelay: 50 });
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(128 + constants.signals[signal]));
}

/**
 * A free port that the system gives to no outgoing connection. Those start at 32768 on Linux, and one could take the
 * port of a Redis that was killed before it is restarted.
 */
async function freePort() {
  const server = createServer();
  for (;;) {
    const port = randomInt(15_000, 30_000);
    const isFree = await new Promise((resolve) => {
      server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** How playwright starts Chromium: it runs as root in containers, and asks nothing of any network. */
export function launchOptions() {
  return {
    executablePath: findChromium() ?? 'chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  };
}

/** The shell is Chromium without the pages of its own window: half of the processor time for the same pages. */
function findChromium() {
  return process.env.CHROMIUM_PATH || find([SHELL, 'chromium', 'chromium-browser', 'google-chrome']);
}

function findRedis() {
  return find(['redis-server', 'valkey-server']);
}

function findPostgres() {
  // The newest version first. Without Debian's folder, all of it must be on the PATH.
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => [join(DEBIAN_POSTGRES, version, 'bin')]);
  for (const folder of [...folders, undefined]) {
    const [initdb, postgres] = [find(['initdb'], folder), find(['postgres'], folder)];
    if (initdb && postgres) return { initdb, postgres };
  }
  return undefined;
}

/** The path of the first program that one of the folders holds, the folders of PATH by default. */
function find(names, folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, modes.X_OK);
    return true;
  } catch {
    return false;
  }
}

function required(found) {
  if (found === undefined) throw new Error(ADVICE);
  return found;
}

function missingPackages() {
  // npm compiles better-sqlite3 for a test.
  const missing = ['make', 'g++', 'python3'].filter((name) => !find([name]));
  if (!findRedis()) missing.push('redis-server');
  if (!findPostgres()) missing.push('postgresql');
  if (!findChromium()) missing.push(SHELL);
  return missing;
}

/** Install Debian's packages of what is missing. Ends the process, with advice, where that is impossible. */
function installMissing() {
  const missing = missingPackages();
  if (missing.length === 0) return;
  console.log(`Missing: ${missing.join(', ')}. Installing Debian's packages with apt-get …`);
  asRoot('apt-get', 'update');
  asRoot('apt-get', 'install', '-y', '--no-install-recommends', ...missing);
  // Debian starts a service when its package is installed. Ours are others, on ports of their own.
  for (const name of missing.filter((one) => /redis|postgres/.test(one))) asRoot('service', name, 'stop');
  if (missingPackages().length === 0) return;
  console.error(ADVICE);
  process.exit(1);
}

/** Run a command that only root may run. Others need sudo. */
function asRoot(...command) {
  const [file, ...args] = process.getuid?.() === 0 ? command : ['sudo', ...command];
  const { error } = spawnSync(file, args, { stdio: 'inherit' });
  if (error) console.error(`${file}: ${error.message}`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) installMissing();
