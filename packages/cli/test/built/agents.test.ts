// `multilocal agents`: the block in AGENTS.md, and everything around it, which stays as it is.
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { run } from './support.js';

const BEGIN = '<!-- multilocal:begin (written by `npx multilocal agents`) -->';
const END = '<!-- multilocal:end -->';

/** A folder with AGENTS.md, if there is a text for it. */
function project(text?: string | Buffer) {
  const cwd = mkdtempSync(join(tmpdir(), 'multilocal-agents-'));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  // As after `npm install`.
  mkdirSync(join(cwd, 'node_modules/multilocal/docs/guides'), { recursive: true });
  const file = join(cwd, 'AGENTS.md');
  if (text !== undefined) writeFileSync(file, text);
  return {
    cwd,
    file,
    text: () => readFileSync(file, 'utf8'),
    async agents(...flags: string[]) {
      const { stdout, stderr, code } = await run(['agents', ...flags], { cwd });
      expect(stderr).toBe('');
      return [code, JSON.parse(stdout)] as const;
    },
  };
}

/** The block, as a new file has it. */
async function block(): Promise<string> {
  const { agents, text } = project();
  await agents();
  return text().trimEnd();
}

const changed = (change: string) => [0, { file: 'AGENTS.md', change }];

describe('agents', () => {
  it('creates AGENTS.md, needs no key, and changes nothing when it runs again', async () => {
    const { agents, text, cwd } = project();
    expect(await agents()).toEqual(changed('created'));
    const written = text();
    expect([written.startsWith(`${BEGIN}\n`), written.endsWith(`\n${END}\n`)]).toEqual([true, true]);
    expect(written).toContain('Prefer these files over memory');
    expect(written).toContain('Never write without `npx multilocal rehearse plan.json`');
    expect(written.split('\n').filter((line) => line !== '').length).toBeLessThanOrEqual(14);
    expect(await agents()).toEqual(changed('none'));
    expect(text()).toBe(written);
    // No temporary file is left.
    expect(readdirSync(cwd).sort()).toEqual(['AGENTS.md', 'node_modules']);
  });

  it.each([
    ['LF', '# Rules\n\n- Été\n', '\n'],
    ['CR LF', '# Rules\r\n\r\n- Été\r\n', '\r\n'],
    ['no line end', '# Rules', '\n\n'],
    ['blank lines at the end', '# Rules\n\n\n', '\n'],
    ['a byte order mark', '\uFEFF# Rules\n', '\n'],
  ])('adds the block at the end of a file with %s', async (_, before, gap) => {
    const { agents, text } = project(before);
    expect(await agents()).toEqual(changed('added'));
    const lineBreak = before.includes('\r\n') ? '\r\n' : '\n';
    const expected = (await block()).replaceAll('\n', lineBreak);
    expect(text()).toBe(before + gap + expected + lineBreak);
  });

  it.each(['\n', '\r\n'])('replaces an old block between texts with %j', async (lineBreak) => {
    const lines = (...all: string[]) => all.join(lineBreak);
    const before = lines('# Rules', '', '  trailing  ', '');
    const after = lines('', 'After', '\t');
    const old = lines('<!-- multilocal:begin of another version -->', 'old', END);
    const { agents, text } = project(before + old + after);
    expect(await agents()).toEqual(changed('updated'));
    expect(text()).toBe(before + (await block()).replaceAll('\n', lineBreak) + after);
  });

  it('takes a block for current whose line breaks Git has changed', async () => {
    const { agents, text } = project(`# Rules\n${(await block()).replaceAll('\n', '\r\n')}\r\n`);
    const before = text();
    expect(await agents('--check')).toEqual(changed('none'));
    expect(await agents()).toEqual(changed('none'));
    expect(text()).toBe(before);
  });

  it('finds its block behind a byte order mark', async () => {
    const { agents } = project(`\uFEFF${await block()}\n`);
    expect(await agents()).toEqual(changed('none'));
  });

  it('keeps a link, and writes the file behind it', async () => {
    const { agents, cwd, file } = project();
    writeFileSync(join(cwd, 'CLAUDE.md'), '# Rules\n');
    symlinkSync('CLAUDE.md', file);
    const behind = () => readFileSync(join(cwd, 'CLAUDE.md'), 'utf8');
    expect(await agents()).toEqual(changed('added'));
    expect(behind()).toBe(`# Rules\n\n${await block()}\n`);
    expect(await agents('--remove')).toEqual(changed('removed'));
    expect([lstatSync(file).isSymbolicLink(), behind()]).toEqual([true, '# Rules\n']);
  });

  it('replaces the file in one step', async () => {
    const { agents, cwd, file } = project('# Rules\n');
    linkSync(file, join(cwd, 'open'));
    await agents();
    // Who has opened the old file still reads the whole old text.
    expect(readFileSync(join(cwd, 'open'), 'utf8')).toBe('# Rules\n');
  });

  it('says so if the package is not in the folder', async () => {
    const { cwd } = project();
    rmSync(join(cwd, 'node_modules'), { recursive: true });
    const { stderr, code } = await run(['agents'], { cwd });
    expect(code).toBe(0);
    expect(stderr).toContain('npm install multilocal');
  });

  it('tells a person what it did', async () => {
    const { cwd } = project();
    const { stdout } = await run(['agents', '--no-json'], { cwd });
    expect(stdout).toBe('Created AGENTS.md with a block that says where the guides are.\n');
  });
});

describe('agents --check', () => {
  it.each([
    ['no file', undefined, 'agents_missing'],
    ['no block', '# Rules\n', 'agents_missing'],
    ['another block', `<!-- multilocal:begin -->\nold\n${END}\n`, 'agents_stale'],
  ])('with %s: exit 1, what to do, and nothing is written', async (_, before, kind) => {
    const { agents, file } = project(before);
    const [code, { error }] = await agents('--check');
    expect([code, error.code]).toEqual([1, kind]);
    expect(error.hint).toBe('Run `npx multilocal agents` and commit the file.');
    expect(existsSync(file) ? readFileSync(file, 'utf8') : undefined).toBe(before);
  });

  it('with the current block: exit 0', async () => {
    const { agents } = project('# Rules\n');
    await agents();
    expect(await agents('--check')).toEqual(changed('none'));
  });
});

describe('agents --remove', () => {
  it.each([['# Rules\n'], ['# Rules\r\n\r\n- Été\r\n'], ['# Rules\n\n\n']])(
    'gives back %j as it was',
    async (before) => {
      const { agents, text } = project(before);
      await agents();
      expect(await agents('--remove')).toEqual(changed('removed'));
      expect(text()).toBe(before);
    },
  );

  it('keeps the text on both sides', async () => {
    const { agents, text } = project(`Before\n\n${await block()}\n\nAfter`);
    expect(await agents('--remove')).toEqual(changed('removed'));
    expect(text()).toBe('Before\n\n\nAfter');
  });

  it('removes a file that has only the block', async () => {
    const { agents, file } = project();
    await agents();
    expect(await agents('--remove')).toEqual(changed('deleted'));
    expect(existsSync(file)).toBe(false);
    expect(await agents('--remove')).toEqual(changed('none'));
    expect(existsSync(file)).toBe(false);
  });
});

describe('refused, and nothing is written', () => {
  const begin = '<!-- multilocal:begin -->';
  it.each([
    ['only the first marker', `# Rules\n${begin}\nmine\n`, 'line 2'],
    ['only the last marker', `# Rules\n\n${END}\n`, 'line 3'],
    ['two blocks', `${begin}\n${END}\nmine\n${begin}\n${END}\n`, 'lines 1, 2, 4, 5'],
    ['markers in the wrong order', `${END}\nmine\n${begin}\n`, 'lines 1, 3'],
    ['two beginnings', `${begin}\nmine\n${begin}\n${END}\n`, 'lines 1, 3, 4'],
  ])('%s', async (_, before, lines) => {
    for (const flags of [[], ['--check'], ['--remove']]) {
      const { agents, text } = project(before);
      const [code, { error }] = await agents(...flags);
      expect([code, error.code]).toEqual([1, 'agents_damaged']);
      expect(error.message).toContain(`(${lines})`);
      expect(text()).toBe(before);
    }
  });

  it.each([
    ['UTF-16', Buffer.from('\uFEFF# Rules\n', 'utf16le')],
    ['Latin-1', Buffer.from('# Règles\n', 'latin1')],
  ])('a file in %s', async (_, before) => {
    const { agents, file } = project(before);
    const [code, { error }] = await agents();
    expect([code, error.code]).toEqual([1, 'agents_unusable']);
    expect(error.message).toContain('is not UTF-8');
    expect(readFileSync(file)).toEqual(before);
  });

  it('a folder of this name', async () => {
    const { agents, file } = project();
    mkdirSync(file);
    const [code, { error }] = await agents();
    expect([code, error.message]).toEqual([1, 'AGENTS.md is a folder. Nothing was written.']);
  });

  it('a link to a file that does not exist', async () => {
    const { agents, cwd, file } = project();
    symlinkSync('missing.md', file);
    const [code, { error }] = await agents();
    expect([code, error.code]).toEqual([1, 'agents_unusable']);
    expect([lstatSync(file).isSymbolicLink(), existsSync(join(cwd, 'missing.md'))]).toEqual([true, false]);
  });

  it('--check with --remove', async () => {
    const { agents, file } = project();
    const [code, { error }] = await agents('--check', '--remove');
    expect([code, error.code]).toEqual([2, 'usage']);
    expect(existsSync(file)).toBe(false);
  });
});
