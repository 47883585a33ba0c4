import { type Both, inLocale, type Locale } from '@multilocal/plans/words';
import { wrapAnsi } from 'fast-wrap-ansi';
import { createRedactor } from 'multilocal/internal/redact';
import { EXIT } from './failure.js';

/** The styles of everything that is printed. citty uses `gray` and `underline` in the help. */
const CODES = {
  bold: [1, 22],
  dim: [2, 22],
  underline: [4, 24],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
  gray: [90, 39],
} as const;

/** The colours that a message may use. */
export type Colour = keyof typeof CODES;

/** Control characters, and marks that reverse the order of characters. */
const CONTROLS = /(?![\n\t])\p{Cc}|\p{Bidi_C}/gu;

const ESCAPE = '\u001b';

/** Stands for the escape character of our colours until they are printed, so that those of others are told from them. No text knows it. */
const OURS = String.fromCharCode(0xe100 + Math.floor(Math.random() * 0xe00));

/**
 * The beginning of a command for GitHub, which reads both streams: `::` in front of a line, or `##[` anywhere. `##vso[`
 * is one for Azure.
 */
const COMMANDS = /(?<=^\s*):(?=:)|#(?=#\w*\[)/gmu;

/** Stands for a space while lines are broken: no text has it. */
const HELD = '\ue000';

/** What `Output` needs of `process.stdout` and `process.stderr`. */
type Stream = Pick<NodeJS.WriteStream, 'write' | 'on' | 'isTTY'> &
  Partial<Pick<NodeJS.WriteStream, 'columns' | 'hasColors'>>;

/**
 * Everything that a command prints. Data goes to stdout, all else to stderr. Nothing that is printed contains the key.
 */
export class Output {
  /** Whether data and errors are JSON. The default where stdout is not a terminal. */
  readonly isJson: boolean;
  /** Whether a person sits at the terminal: the only case with prompts and animations. */
  readonly isInteractive: boolean;
  /** The language of what people read. JSON is always English. */
  #locale: Locale = 'en';
  /** Whether the reader of stdout is gone, as in `| head -1`. */
  isClosed = false;
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  readonly #secrets = new Set<string>();
  #redactor = createRedactor([]);

  constructor(isJson: boolean | undefined, stdout: Stream = process.stdout, stderr: Stream = process.stderr) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isJson = isJson ?? stdout.isTTY !== true;
    this.isInteractive = !this.isJson && process.stdin.isTTY === true && stderr.isTTY === true;
    for (const stream of [stdout, stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        // A closed pipe must not end a command that is writing to the service.
        if (error.code !== 'EPIPE') this.#fail(stream, error);
      });
    }
  }

  get locale(): Locale {
    return this.#locale;
  }

  /** Sets the language: the given one, or on a terminal that of the environment. */
  speak(given: string | undefined, { LC_ALL, LC_MESSAGES, LANG }: NodeJS.ProcessEnv = process.env): void {
    const own = this.#stdout.isTTY === true ? LC_ALL || LC_MESSAGES || LANG : undefined;
    this.#locale = !this.isJson && /^fr(?![a-z])/i.test(given ?? own ?? '') ? 'fr' : 'en';
  }

  /** A text in the language of people. */
  in(both: Both): string {
    return inLocale(both, this.#locale);
  }

  /** Whether stdout is a terminal that shows colours: NO_COLOR, FORCE_COLOR and TERM decide. */
  get hasColours(): boolean {
    return showsColours(this.#stdout);
  }

  /** Columns of the terminal, or 80. */
  get columns(): number {
    return this.#stdout.columns || 80;
  }

  /** Removes a key from everything that is printed from now on. */
  protect(secret: string): void {
    this.#redactWith(this.#secrets.add(secret.trim()));
  }

  /** Lets a key be printed, because it is not secret. */
  reveal(key: string): void {
    this.#secrets.delete(key);
    this.#redactWith(this.#secrets);
  }

  /** Names of npm packages and hosts have `-` for `_`. */
  #redactWith(keys: ReadonlySet<string>): void {
    this.#redactor = createRedactor([...keys].flatMap((key) => [key, key.replaceAll('_', '-')]));
  }

  /** Prints a result: one line of JSON, or the text for people. Resolves when the system has taken it, or `isClosed` is set. */
  data(value: unknown, text: string): Promise<void> {
    return this.#write(
      this.#stdout,
      this.isJson ? JSON.stringify(this.clean(value ?? null)) : this.#redactor.mask(text),
    );
  }

  /** Prints text to stdout in both forms, for documents that are not our JSON. */
  raw(text: string): void {
    this.#write(this.#stdout, this.#redactor.mask(text));
  }

  /** Prints a remark for people to stderr. A terminal would break its lines within words. Lines that are indented are laid out already. */
  note(text: string): void {
    const masked = this.#redactor.mask(text);
    const lines = masked.split('\n').map((line) => (line.startsWith(' ') ? line : this.wrap(line)));
    this.#write(this.#stderr, this.#stderr.isTTY ? lines.join('\n') : masked);
  }

  /** Prints a warning for people to stderr. */
  warn(text: string): void {
    this.note(`${this.paintNote('yellow', this.in(['warning', 'attention']))} ${text}`);
  }

  /** Prints a command for GitHub Actions to stderr. GitHub reads both streams, and stdout holds the result. */
  workflowCommand(line: string): void {
    this.#stderr.write(`${escapeControls(this.#redactor.mask(line))}\n`);
  }

  /** Returns a copy of a JSON value without the key. */
  clean<Value>(value: Value): Value {
    return this.#redactor.json(value);
  }

  /**
   * Shows one line at the bottom of an interactive terminal, in place of the one before. `''` removes it. Remove it
   * before anything else is printed.
   */
  status(text: string): void {
    if (this.isInteractive) this.#stderr.write(`\r\u001b[K${escapeControls(this.#redactor.mask(text))}`);
  }

  /** Colours a text for stdout, if the terminal shows colours. */
  paint(colour: Colour, text: string): string {
    return paint(this.#stdout, colour, text);
  }

  /** Colours a text for stderr, if the terminal shows colours. */
  paintNote(colour: Colour, text: string): string {
    return paint(this.#stderr, colour, text);
  }

  /** Breaks a text at the width of the terminal. Every line but the first begins with `indent` spaces. */
  wrap(text: string, indent = 0): string {
    // French has a space before `:` and within `« »`, at which no line ends.
    const held = withoutControls(text)
      .replaceAll(OURS, ESCAPE)
      .replaceAll(/ (?=[:;!?»](?:\s|$))|(?<=«) /g, HELD);
    const lines = wrapAnsi(held, Math.max(20, this.columns - indent)).replaceAll(HELD, ' ');
    return ours(lines).replaceAll('\n', `\n${' '.repeat(indent)}`);
  }

  /** Returns a row of a table: its first cells, and paragraphs in the last column, which begins after `indent` columns. */
  row(head: string, paragraphs: readonly string[], indent: number): string {
    const cell = paragraphs.map((text) => this.wrap(text, indent)).join(`\n${' '.repeat(indent)}`);
    return cell === '' ? head.trimEnd() : `${head}  ${cell}`;
  }

  /** Returns lines of a name and a value, with the values in one column. */
  fields(values: Readonly<Record<string, string | number>>): string {
    const width = Math.max(...Object.keys(values).map((name) => name.length));
    const row = ([name, value]: [string, unknown]) =>
      this.row(this.paint('dim', name.padEnd(width)), [String(value)], width + 2);
    return Object.entries(values).map(row).join('\n');
  }

  /** Reports that output was lost, for example because the disk is full. The command goes on, and then exits with 1. */
  #fail(stream: Stream, { code }: NodeJS.ErrnoException): void {
    process.once('exit', () => {
      process.exitCode = EXIT.failed;
    });
    if (stream === this.#stdout) this.note(`The result could not be written to stdout (${code}).`);
  }

  async #write(stream: Stream, text: string): Promise<void> {
    if (stream === this.#stdout && this.isClosed) return;
    const shown = `${escapeControls(text).replace(COMMANDS, escaped)}\n`;
    const error = await new Promise((resolve) => void stream.write(shown, resolve));
    if (error && stream === this.#stdout) this.isClosed = true;
  }
}

/** Escapes everything that could control a terminal, except our colours. */
function escapeControls(text: string): string {
  return withoutControls(text).replaceAll(OURS, ESCAPE);
}

function withoutControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROLS, escaped);
}

/** Marks the colours of a text of ours, which others have coloured. */
export function ours(text: string): string {
  return text.replaceAll(ESCAPE, OURS);
}

/** Escapes the first character as JSON does, so that an escaped document is still the same one. */
function escaped(text: string): string {
  return `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}`;
}

function paint(stream: Stream, colour: Colour, text: string): string {
  const [open, close] = CODES[colour];
  return showsColours(stream) ? `${sequence(open)}${text}${sequence(close)}` : text;
}

function sequence(code: number): string {
  return `${OURS}[${code}m`;
}

function showsColours(stream: Stream): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}
