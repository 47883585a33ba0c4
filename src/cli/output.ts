import { wrapAnsi } from 'fast-wrap-ansi';
import { createRedactor, type Redactor } from '../core/redact.js';
import { EXIT } from './failure.js';

/** The colours that a message may use. */
export type Colour = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

const CODES: Record<Colour, readonly [number, number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
};

/** Control characters, with what follows if it is one of our colours. */
const CONTROLS = /\p{Cc}(?:\[\d{1,2}m)?/gu;

/** What of them may be printed. */
const HARMLESS: ReadonlySet<string> = new Set(['\n', '\t', ...Object.values(CODES).flat().map(sequence)]);

/** What `Output` needs of `process.stdout` and `process.stderr`. */
type Stream = Pick<NodeJS.WriteStream, 'write' | 'on' | 'isTTY'> &
  Partial<Pick<NodeJS.WriteStream, 'columns' | 'hasColors'>>;

/**
 * Everything that a command prints. Data goes to stdout, all else to stderr. Nothing that is printed contains the key.
 */
export class Output {
  /** Whether data and errors are JSON. The default where stdout is no terminal. */
  readonly isJson: boolean;
  /** Whether a person sits at the terminal: the only case with prompts and animations. */
  readonly isInteractive: boolean;
  /** Whether the reader of stdout is gone, as in `| head -1`. */
  isClosed = false;
  readonly #stdout: Stream;
  readonly #stderr: Stream;
  #redactor: Redactor = createRedactor([]);

  constructor(isJson: boolean | undefined, stdout: Stream = process.stdout, stderr: Stream = process.stderr) {
    this.#stdout = stdout;
    this.#stderr = stderr;
    this.isJson = isJson ?? stdout.isTTY !== true;
    this.isInteractive = !this.isJson && process.stdin.isTTY === true && stderr.isTTY === true;
    for (const stream of [stdout, stderr]) {
      stream.on('error', (error: NodeJS.ErrnoException) => {
        // A closed pipe must not end a command that is writing to the service.
        if (stream === stdout) this.isClosed = true;
        if (error.code !== 'EPIPE') this.#fail(stream, error);
      });
    }
  }

  /** Whether stdout is a terminal that shows colours: NO_COLOR, FORCE_COLOR and TERM decide. */
  get hasColours(): boolean {
    return showsColours(this.#stdout);
  }

  /** Columns of the terminal, or 80. */
  get columns(): number {
    return this.#stdout.columns || 80;
  }

  /** Removes these texts from everything that is printed from now on. */
  protect(...secrets: readonly string[]): void {
    this.#redactor = createRedactor(secrets);
  }

  /** Prints a result: one line of JSON, or the text for people. */
  data(value: unknown, text: string): void {
    this.#write(this.#stdout, this.isJson ? JSON.stringify(this.clean(value ?? null)) : this.mask(text));
  }

  /** Prints text to stdout in both forms, for documents that are no JSON of ours. */
  raw(text: string): void {
    this.#write(this.#stdout, this.mask(text));
  }

  /** Prints a remark for people to stderr. */
  note(text: string): void {
    // At the beginning of a line, GitHub would take `::` of a service's text for a command.
    this.#write(this.#stderr, this.mask(text).replace(/^(\s*):(?=:)/gm, '$1: '));
  }

  /** Prints a command for GitHub Actions to stderr. GitHub reads both streams, and stdout holds the result. */
  workflowCommand(line: string): void {
    this.#write(this.#stderr, this.mask(line));
  }

  /** Returns a copy of a JSON value without the key. */
  clean<Value>(value: Value): Value {
    return this.#redactor.json(value);
  }

  /** Removes the key and everything that could control a terminal, except our colours. */
  mask(text: string): string {
    return this.#redactor
      .mask(text)
      .replace(CONTROLS, (found) => (HARMLESS.has(found) ? found : found.replace(/^[^\n\t]/u, '')));
  }

  /**
   * Shows one line at the bottom of an interactive terminal, in place of the one before. `''` removes it. Remove it
   * before anything else is printed.
   */
  status(text: string): void {
    if (this.isInteractive) this.#stderr.write(`\r\u001b[K${this.#redactor.mask(text)}`);
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
    return wrapAnsi(text, Math.max(20, this.columns - indent)).replaceAll('\n', `\n${' '.repeat(indent)}`);
  }

  /** Returns lines of a name and a value, with the values in one column. */
  fields(values: Readonly<Record<string, string | number>>): string {
    const width = Math.max(...Object.keys(values).map((name) => name.length));
    return Object.entries(values)
      .map(([name, value]) => `${this.paint('dim', name.padEnd(width))}  ${this.wrap(String(value), width + 2)}`)
      .join('\n');
  }

  /** What was printed is lost, for example because the disk is full. The command goes on, and its exit code tells. */
  #fail(stream: Stream, { code }: NodeJS.ErrnoException): void {
    process.once('exit', () => {
      process.exitCode = EXIT.failed;
    });
    if (stream === this.#stdout) this.note(`The result could not be written to stdout (${code}).`);
  }

  #write(stream: Stream, text: string): void {
    if (stream === this.#stdout && this.isClosed) return;
    stream.write(`${text}\n`);
  }
}

function paint(stream: Stream, colour: Colour, text: string): string {
  const [open, close] = CODES[colour];
  return showsColours(stream) ? `${sequence(open)}${text}${sequence(close)}` : text;
}

function sequence(code: number): string {
  return `\u001b[${code}m`;
}

function showsColours(stream: Stream): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}
