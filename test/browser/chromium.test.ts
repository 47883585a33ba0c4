import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/chromium.mjs', import.meta.url));
/** The whole PATH of a machine on which there is nothing but what a test puts there. */
let path: string;
beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'multilocal-chromium-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
});

function put(name: string, ...lines: string[]): void {
  writeFileSync(join(path, name), ['#!/bin/sh', ...lines, ''].join('\n'));
  chmodSync(join(path, name), 0o755);
}

/** A package manager that writes down how it is called, and does `installing` when it is to install. */
function putAptGet(installing: string): void {
  put('apt-get', 'echo "apt-get $*" >> "$PATH/log"', `[ "$1" = update ] || ${installing}`);
  put('sudo', 'echo sudo >> "$PATH/log"', '"$@"');
}

function install(env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], {
    env: { PATH: path, ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe('node scripts/chromium.mjs', () => {
  it('installs Chromium where there is none, as root or with sudo, and only once', () => {
    putAptGet('/bin/cp "$0" "$PATH/chromium"');
    expect(install()).toEqual({ status: 0, stdout: expect.stringMatching(/installing Debian's.*\n$/), stderr: '' });
    const calls = ['apt-get update', 'apt-get install -y --no-install-recommends chromium'];
    const asRoot = execFileSync('id', ['-u'], { encoding: 'utf8' }).trim() === '0';
    const expected = asRoot ? calls : calls.flatMap((call) => ['sudo', call]);
    const log = () => readFileSync(join(path, 'log'), 'utf8').trim().split('\n');
    expect(log()).toEqual(expected);
    expect(install()).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(log()).toEqual(expected);
  });

  it.each(['chromium', 'chromium-browser', 'google-chrome'])('takes the %s that is there', (name) => {
    put(name);
    expect(install()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('takes the one that CHROMIUM_PATH names', () => {
    expect(install({ CHROMIUM_PATH: '/opt/chromium/chrome' })).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it('says what to do where it cannot install', () => {
    const { status, stderr } = install();
    expect(status).toBe(1);
    expect(stderr).toMatch(/apt-get: .*ENOENT|sudo: .*ENOENT/);
    expect(stderr).toMatch(/Install it .* PATH/);
    expect(stderr).toContain('CHROMIUM_PATH');
  });

  it('says it where the installation fails', () => {
    putAptGet('exit 100');
    const { status, stderr } = install();
    expect([status, stderr.includes('CHROMIUM_PATH')]).toEqual([1, true]);
  });
});
