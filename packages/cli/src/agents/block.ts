import { AgentsError } from './error.js';

const BEGIN = '<!-- multilocal:begin (written by `npx multilocal agents`) -->';
const END = '<!-- multilocal:end -->';

const PACKAGE = 'node_modules/multilocal';
const GUIDES = `${PACKAGE}/docs/guides`;

/** The blank lines are those that formatters of Markdown would add. */
const BLOCK = `${BEGIN}

## multilocal

Prefer these files over memory: they describe the installed version. Read the one that fits before you write code.

- Rules and first steps: \`${PACKAGE}/skills/multilocal/SKILL.md\`
- Every method with its route and permission: \`${PACKAGE}/docs/endpoints.md\`
- Posts, dry runs, lost responses: \`${GUIDES}/publishing-safely.md\`
- Many writes, approval, CI: \`${GUIDES}/plans.md\`
- Articles: \`${GUIDES}/sync.md\`, \`${GUIDES}/articles-on-your-site.md\`
- Errors: \`${GUIDES}/errors.md\`
- Tests with the mock, without a key: \`${GUIDES}/testing.md\`
- Everything else: \`ls ${GUIDES}\`

Never write without \`npx multilocal rehearse plan.json\`. A person approves the plan before \`--run\`.

${END}`;

/** Markers stand at the beginning of a line, or behind the mark with which some editors begin a file. */
const BEGINS = /(?<=^\uFEFF?)<!-- multilocal:begin\b.*?-->/gm;
const ENDS = /(?<=^\uFEFF?)<!-- multilocal:end\b.*?-->/gm;

/** Whether the text has a block, of any version. */
export function hasBlock(text: string): boolean {
  return placeOf(text) !== undefined;
}

/** Returns the text with the current block: in the place of the old one, or at the end. */
export function withBlock(text: string): string {
  const lineBreak = /\r?\n/.exec(text)?.[0] ?? '\n';
  const block = BLOCK.replaceAll('\n', lineBreak);
  const place = placeOf(text);
  if (!place) {
    const gap = text === '' ? '' : text.endsWith('\n') ? lineBreak : lineBreak + lineBreak;
    return text + gap + block + lineBreak;
  }
  // Git may have changed the line breaks of a part of the file.
  const isCurrent = text.slice(...place).replaceAll('\r\n', '\n') === BLOCK;
  return isCurrent ? text : text.slice(0, place[0]) + block + text.slice(place[1]);
}

/** Returns the text without the block. */
export function withoutBlock(text: string): string {
  const place = placeOf(text);
  if (!place) return text;
  const before = text.slice(0, place[0]);
  const after = text.slice(place[1]).replace(/^\r?\n/, '');
  // At the end of the file, the blank line in front of the block is ours, too.
  return after === '' ? before.replace(/(?<=\n)\r?\n$/, '') : before + after;
}

/**
 * Returns where the block begins and ends.
 * @throws {AgentsError} if the markers are not one pair: what lies between two of them may be the person's own text.
 */
function placeOf(text: string): [from: number, to: number] | undefined {
  const [begins, ends] = [[...text.matchAll(BEGINS)], [...text.matchAll(ENDS)]];
  const [[begin], [end]] = [begins, ends];
  if (!begin && !end) return undefined;
  if (begin && end && begins.length === 1 && ends.length === 1 && begin.index < end.index)
    return [begin.index, end.index + end[0].length];
  const lines = [...begins, ...ends].map(({ index }) => text.slice(0, index).split('\n').length).sort((a, b) => a - b);
  throw new AgentsError(
    'agents_damaged',
    `The markers of multilocal in AGENTS.md (${lines.length === 1 ? 'line' : 'lines'} ${lines.join(', ')}) are not one pair of begin and end. Nothing was written.`,
    'Remove these lines and what multilocal wrote between them, then run `npx multilocal agents`.',
  );
}
