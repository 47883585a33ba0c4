// The Redis and the Postgres of tests and examples. `node scripts/services.mjs` installs them where they are missing.
import { spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { asRoot, findExecutable, install } from './debian.mjs';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const ADVICE = `Tests and examples need redis-server (or valkey-server), initdb and postgres. Install them so that they are on the
PATH, or below ${DEBIAN_POSTGRES}. On Debian, \`node scripts/services.mjs\` does it.`;

/** What ends each service that runs now at once. */
const running = new Set();
/** The data of every Postgres. */
const folders = new Set();

/**
 * Start a Redis on a free port of loopback. It keeps its data in memory only.
 *
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
  const server = await start(command, options);
  return {
    port,
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pid: server.pid,
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

function findRedis() {
  return findExecutable(['redis-server', 'valkey-server']);
}

function findPostgres() {
  // The newest version first. Without Debian's folder, all of it must be on the PATH.
  const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
  const folders = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => [join(DEBIAN_POSTGRES, version, 'bin')]);
  for (const folder of [...folders, undefined]) {
    const [initdb, postgres] = [findExecutable(['initdb'], folder), findExecutable(['postgres'], folder)];
    if (initdb && postgres) return { initdb, postgres };
  }
  return undefined;
}

function required(found) {
  if (found === undefined) throw new Error(ADVICE);
  return found;
}

/** Install Debian's packages of what is missing. Ends the process, with advice, where that is impossible. */
function ensureServices() {
  const missing = [];
  if (!findRedis()) missing.push('redis-server');
  if (!findPostgres()) missing.push('postgresql');
  if (missing.length === 0) return;
  console.log(`Missing: ${missing.join(', ')}. Installing Debian's packages with apt-get …`);
  const isInstalled = install(...missing);
  // Debian starts a service when its package is installed. Ours are others, on ports of their own.
  for (const name of missing) asRoot('service', name, 'stop');
  if (isInstalled && findRedis() && findPostgres()) return;
  console.error(ADVICE);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureServices();
