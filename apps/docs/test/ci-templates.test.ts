// The GitHub Action and the GitLab template, each held to its linter. test/cli/ci.test.ts runs them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const folder = mkdtempSync(join(tmpdir(), 'multilocal-ci-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (command: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  return { status, text: stdout + stderr };
};

describe('the GitHub Action', () => {
  const action = readFileSync(join(root, 'action.yml'), 'utf8');
  const validate = (text: string) => {
    writeFileSync(join(folder, 'action.yml'), text);
    return run(join(bin, 'action-validator'), 'action.yml');
  };

  it('is a valid action', () => {
    expect(validate(action)).toEqual({ status: 0, text: '' });
  });

  it('would be refused with a wrong field', () => {
    expect(validate(action.replace('using: composite', 'using: nothing')).status).not.toBe(0);
  });
});

describe('the GitLab template', () => {
  const template = readFileSync(join(root, 'templates', 'rehearse.yml'), 'utf8');
  const git = (...args: string[]) => run('git', '-c', 'user.name=t', '-c', 'user.email=t@t.invalid', ...args);
  const preview = (text: string) => {
    mkdirSync(join(folder, 'templates'), { recursive: true });
    writeFileSync(join(folder, 'templates', 'rehearse.yml'), text);
    writeFileSync(
      join(folder, '.gitlab-ci.yml'),
      'include:\n  - local: /templates/rehearse.yml\n    inputs:\n      plan: plans/week.json\n      run: true\n',
    );
    git('init', '-q');
    git('add', '.');
    git('commit', '-qm', 'plan');
    return run(join(bin, 'gitlab-ci-local'), '--preview');
  };

  it('is a valid pipeline with its inputs filled in', () => {
    const { status, text } = preview(template);
    expect({ status, text }).toMatchObject({ status: 0, text: expect.stringContaining('PLAN: plans/week.json') });
    expect(text).toContain("RUN: 'true'");
  });

  it('would be refused with a wrong field', () => {
    const wrong = template.replace('resource_group:', 'resource_grup:');
    expect(preview(wrong).text).toContain("'resource_grup' property is not expected");
  });
});
