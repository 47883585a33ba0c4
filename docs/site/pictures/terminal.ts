// docs/images/rehearse.svg: `npx multilocal rehearse` in a terminal, from what the command really prints.
import { input, show } from './command.js';

const COLUMNS = 76;
const CELL = 8.4;
const LINE = 20;
const PADDING = 18;
/** Height of the bar of the window. */
const BAR = 32;

/** A piece of a line in one style. `style` is a class of the drawing. */
interface Run {
  readonly text: string;
  readonly style: string;
}

/** The styles that the command uses, by their codes. Others, such as those that end a style, are plain. */
const STYLES: Readonly<Record<string, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  33: 'yellow',
  36: 'cyan',
};

export async function rehearsePicture(): Promise<string> {
  const { screen } = await show(['rehearse', 'plan.yaml'], input('plan.yaml'), COLUMNS);
  const prompt = [
    { text: '$ ', style: 'dim' },
    { text: 'npx multilocal rehearse plan.yaml', style: 'bold' },
  ];
  return drawing([prompt, ...screen.trimEnd().split('\n').map(runs)]);
}

function runs(line: string): Run[] {
  // Sequences that move the cursor end in another letter.
  const parts = line.replace(/\r|\p{Cc}\[\d*[A-Z]/gu, '').split(/\p{Cc}\[(\d+)m/u);
  return parts.flatMap((text, index) =>
    index % 2 === 0 && text !== '' ? { text, style: STYLES[parts[index - 1] ?? ''] ?? 'plain' } : [],
  );
}

function drawing(lines: readonly (readonly Run[])[]): string {
  const width = Math.round(COLUMNS * CELL) + 2 * PADDING;
  const height = BAR + lines.length * LINE + PADDING;
  const said = lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="said" font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
  <title id="said">${escaped(said)}</title>
  <!-- Written by \`npm run pictures\`. The picture brings its own background, so that it is legible wherever it is shown. -->
  <style>
    .paper { fill: #f6f8fa; stroke: #d0d7de; } .dot { fill: #d0d7de; }
    .plain, .bold { fill: #1f2328; } .bold { font-weight: 600; } .dim { fill: #59636e; }
    .red { fill: #b62324; } .green { fill: #116329; } .yellow { fill: #7d4e00; } .cyan { fill: #1b7c83; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #151b23; stroke: #3d444d; } .dot { fill: #3d444d; }
      .plain, .bold { fill: #f0f6fc; } .dim { fill: #9198a1; }
      .red { fill: #ff8e86; } .green { fill: #56d364; } .yellow { fill: #e3b341; } .cyan { fill: #76e3ea; }
    }
  </style>
  <rect class="paper" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
  ${[0, 1, 2].map((dot) => `<circle class="dot" cx="${PADDING + 6 + dot * 18}" cy="18" r="5"/>`).join('')}
${lines.map((line, index) => row(line, BAR + (index + 1) * LINE - 2)).join('\n')}
</svg>
`;
}

/** Every run says where it begins and how wide it is, since the cells of fonts differ. */
function row(line: readonly Run[], y: number): string {
  let column = 0;
  const texts = line.map(({ text, style }) => {
    const lead = text.length - text.trimStart().length;
    const shown = text.trim();
    const at = column + lead;
    column += text.length;
    if (shown === '') return '';
    return `<text class="${style}" x="${round(PADDING + at * CELL)}" y="${y}" textLength="${round(shown.length * CELL)}" xml:space="preserve">${escaped(shown)}</text>`;
  });
  return `  ${texts.join('')}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
