// packages/cli/skills/multilocal/SKILL.md: what installers look for, and its commands. code-blocks.test.ts runs its programs.
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root, skill } from '@multilocal/test/docs/blocks';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { run, startMock, temporaryFolder } from './support.js';

const text = readFileSync(join(root, skill), 'utf8');
const blocks = (language: string) =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, code = '']) => code);

it('has the fields that installers read, and is short', () => {
  const [, fields = ''] = /^---\n([\s\S]*?)^---$/m.exec(text) ?? [];
  const { name, description, ...others } = parse(fields);
  expect([name, others]).toEqual([basename(dirname(skill)), {}]);
  expect(description).toMatch(/^[^<>]{100,1024}$/);
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(130);
});

it('is named in package.json, for installers', () => {
  const { agents, keywords } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(agents).toEqual({ skills: [{ name: 'multilocal', path: `./${dirname(skill)}` }] });
  expect(keywords).toContain('tanstack-intent');
});

it('shows commands that work on the mock, and that write nothing', async () => {
  const { env, api } = await startMock();
  const cwd = temporaryFolder();
  const [plan = '', ...others] = blocks('json');
  writeFileSync(join(cwd, 'plan.json'), plan);
  const commands = blocks('sh').flatMap((block) => block.trim().split('\n'));
  expect([commands.length, others]).toEqual([5, []]);
  const posts = api.posts.all().length;
  for (const command of commands) {
    const [, words = ''] = /^npx multilocal ([^#]*)/.exec(command) ?? [];
    const { stdout, code } = await run(words.trim().split(' '), { cwd, env });
    expect([command, code], stdout).toEqual([command, 0]);
  }
  expect(api.posts.all()).toHaveLength(posts);
});
