import { styleText } from 'node:util';
import { intro, log, outro } from '@clack/prompts';

/** Shows the progress of the demo: with colours and a bar in a terminal, as plain lines elsewhere. */
export interface Screen {
  open(title: string): void;
  chapter(title: string): void;
  /** A completed step. The lines of `details` follow below it. */
  say(text: string, details?: readonly string[]): void;
  /** A skipped step with the reason. */
  skip(text: string): void;
  /** Names with their values. */
  table(rows: Rows): void;
  /** A progress bar until `done`. */
  bar(label: string): Bar;
  /** The client waits for this number of milliseconds. */
  pause(milliseconds: number): void;
  close(text: string): void;
  fail(lines: readonly string[]): void;
}

type Rows = readonly (readonly [name: string, value: string])[];

export interface Bar {
  update(value: number, total: number): void;
  done(text: string): void;
}

export function createScreen(): Screen {
  const { CI, TERM } = process.env;
  const inTerminal = process.stdout.isTTY === true && CI !== 'true' && TERM !== 'dumb';
  return inTerminal ? terminalScreen() : plainScreen();
}

/** `1 page`, `2 pages`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** A text of at most `length` characters. */
export const clip = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : text;
};

/** Removes control characters, which texts of the service may contain. */
const clean = (text: string): string => text.replace(/\p{Cc}/gu, ' ');

const same = (text: string): string => text;

/** A value that is too long for `columns` continues on the next line, below its beginning. */
const align = (rows: Rows, columns = Infinity, styleName = same, styleValue = same): string[] => {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, value]) =>
    wrap(clean(value), columns - width - 2).map((line, index) => {
      return `${styleName((index === 0 ? name : '').padEnd(width))}  ${styleValue(line)}`;
    }),
  );
};

/** Breaks a text between words. The terminal breaks words that are too long. */
function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

function plainScreen(): Screen {
  let pausedUntil = 0;
  const print = (lines: readonly string[], indent = '  ') => {
    for (const line of lines) console.log(indent + clean(line));
  };
  return {
    open: (title) => print([title], ''),
    chapter: (title) => print(['', title], ''),
    say: (text, details = []) => {
      print([text]);
      print(details, '    ');
    },
    skip: (text) => print([`Left out: ${text}`]),
    table: (rows) => print(align(rows)),
    bar: (label) => {
      let quarter = 0;
      return {
        update(value, total) {
          const reached = Math.floor((4 * value) / Math.max(1, total));
          if (reached > quarter && reached < 4) print([`${label}: ${value} of ${total}`]);
          quarter = Math.max(quarter, reached);
        },
        done: (text) => print([text]),
      };
    },
    pause(milliseconds) {
      const now = performance.now();
      if (milliseconds < 2_000 || now < pausedUntil) return;
      pausedUntil = now + milliseconds;
      print([`waiting ${Math.ceil(milliseconds / 1000)} s for the service or the budget of the key`]);
    },
    close: (text) => print(['', text], ''),
    fail: (lines) => {
      for (const line of lines) console.error(clean(line));
    },
  };
}

// clack's own bar puts the keyboard into raw mode and ends the process with code 0 on Ctrl-C, so this one is drawn
// here.
const BAR_WIDTH = 32;
const CLEAR_LINE = '\r\x1b[2K';
const HIDE_CURSOR = '\x1b[?25l';
const SHOW_CURSOR = '\x1b[?25h';

function terminalScreen(): Screen {
  const { stdout } = process;
  let pausedUntil = 0;
  /** Ends the current bar, if there is one. */
  let stopBar = () => {};
  const settled = <Args extends unknown[]>(write: (...args: Args) => void) => {
    return (...args: Args) => {
      stopBar();
      write(...args);
    };
  };
  const dim = (text: string) => styleText('dim', text);
  /** Shows charts of block characters in colour. */
  const paint = (text: string) => text.replace(/[▁-▏]+/g, (chart) => styleText('cyan', chart));
  /** Number of columns for the line on the left. */
  const room = () => (stdout.columns || 80) - 3;
  const broken = (text: string, indent = '') => wrap(clean(text), room() - indent.length).map((line) => indent + line);
  const say = settled((text: string, details: readonly string[] = []) => {
    log.message([...broken(text), ...details.flatMap((line) => broken(line, '  ')).map(dim)], { spacing: 0 });
  });

  function bar(label: string): Bar {
    let [value, total] = [0, 0];
    const draw = () => {
      const share = total > 0 ? Math.min(1, value / total) : 0;
      const filled = Math.round(share * BAR_WIDTH);
      const drawn = styleText('cyan', '━'.repeat(filled)) + dim('─'.repeat(BAR_WIDTH - filled));
      const left = Math.ceil((pausedUntil - performance.now()) / 1000);
      const count = total > 0 ? `${value}/${total}` : '';
      const hint = left > 0 ? styleText('yellow', `waits ${left} s`) : dim(label);
      // In a narrow terminal the line would wrap, and only its last part could be cleared.
      const space = stdout.columns - BAR_WIDTH - 8;
      const text = space > count.length + label.length ? `${count}  ${hint}` : count;
      stdout.write(`${CLEAR_LINE}${styleText('gray', '│')}  ${drawn}  ${text}`);
    };
    stdout.write(HIDE_CURSOR);
    draw();
    const timer = setInterval(draw, 80);
    timer.unref();
    stopBar = () => {
      stopBar = () => {};
      clearInterval(timer);
      stdout.write(CLEAR_LINE + SHOW_CURSOR);
    };
    return {
      update: (...state) => {
        [value, total] = state;
      },
      done: (text) => say(text),
    };
  }

  return {
    open: (title) => intro(styleText(['bold', 'inverse'], ` ${title} `)),
    chapter: settled((title: string) => log.step(styleText('bold', broken(title).join('\n')))),
    say,
    skip: settled((text: string) => log.message(broken(`Left out: ${text}`).map(dim), { spacing: 0 })),
    table: settled((rows: Rows) => log.message(align(rows, room(), dim, paint), { spacing: 0 })),
    bar,
    pause(milliseconds) {
      if (milliseconds >= 2_000) pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
    },
    close: settled((text: string) => outro(text)),
    fail: settled((lines: readonly string[]) => log.error(lines.map(clean).join('\n'), { output: process.stderr })),
  };
}
