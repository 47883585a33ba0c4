// The Chromium that the browser tests drive. `node scripts/chromium.mjs` installs it if there is none.
import { fileURLToPath } from 'node:url';
import { findExecutable, install } from './debian.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

const ADVICE = `The browser tests need Chromium or Chrome. Install it so that one of ${NAMES.join(', ')} is on the PATH,
or set CHROMIUM_PATH to its executable.`;

/** The path of the executable: what CHROMIUM_PATH names, else the first that is on the PATH; `undefined` without one. */
function findChromium() {
  return process.env.CHROMIUM_PATH || findExecutable(NAMES);
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
  if (install('chromium') && findChromium() !== undefined) return;
  console.error(ADVICE);
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureChromium();
