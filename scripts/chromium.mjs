// The Chromium that the browser tests drive. `node scripts/chromium.mjs` installs it if there is none.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const ADVICE = `The browser tests need Chromium or Chrome. Install it so that one of ${NAMES.join(', ')} is on the PATH,
or set CHROMIUM_PATH to its executable.`;

/** The path of the executable: what CHROMIUM_PATH names, else the first that is on the PATH; `undefined` without one. */
function findChromium() {
  const { CHROMIUM_PATH, PATH = '' } = process.env;
  if (CHROMIUM_PATH) return CHROMIUM_PATH;
  const folders = PATH.split(delimiter).filter(Boolean);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** How to start it: it runs as root in containers, and asks nothing of any network. */
export function launchOptions() {
  return {
    // Where it is missing, the launch fails with this name.
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

/** Install Debian's Chromium where there is none. Ends the process, with advice, where that is impossible. */
function ensureChromium() {
  if (findChromium() !== undefined) return;
  console.log("No Chromium on the PATH, none in CHROMIUM_PATH: installing Debian's with apt-get …");
  const installed = apt('update') && apt('install', '-y', '--no-install-recommends', 'chromium');
  if (installed && findChromium() !== undefined) return;
  console.error(ADVICE);
  process.exit(1);
}

/** Whether it succeeded. Only root may install: others need sudo. */
function apt(...args) {
  const isRoot = process.getuid?.() === 0;
  const [command, ...rest] = isRoot ? ['apt-get', ...args] : ['sudo', 'apt-get', ...args];
  const { status, error } = spawnSync(command, rest, { stdio: 'inherit' });
  if (error) console.error(`${command}: ${error.message}`);
  return status === 0;
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureChromium();
