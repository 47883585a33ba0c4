// Programs that tests and examples start: how to find them, and how to install Debian's packages of them.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of the first program that one of the folders holds, the folders of PATH by default; `undefined` without one. */
export function findExecutable(names, folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean)) {
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** Install packages with apt-get. Returns whether the installation succeeded. */
export function install(...packages) {
  return apt('update') && apt('install', '-y', '--no-install-recommends', ...packages);
}

/** Run a command that only root may run. Others need sudo. Returns whether the command succeeded. */
export function asRoot(...command) {
  const [file, ...args] = process.getuid?.() === 0 ? command : ['sudo', ...command];
  const { status, error } = spawnSync(file, args, { stdio: 'inherit' });
  if (error) console.error(`${file}: ${error.message}`);
  return status === 0;
}

function apt(...args) {
  return asRoot('apt-get', ...args);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
