import { wrapAnsi } from 'fast-wrap-ansi';
import { createRedactor, type Redactor } from '../core/errors/redact.js';

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
      // A closed pipe must not end a command that is writing to the service.
      stream.on('error', () => {
        if (stream === stdout) this.isClosed = true;
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
    this.#write(
      this.#stdout,
      this.isJson ? JSON.stringify(this.#redactor.json(value ?? null)) : this.#redactor.mask(text),
    );
  }

  /** Prints text to stdout in both forms, for documents that are no JSON of ours. */
  raw(text: string): void {
    this.#write(this.#stdout, text);
  }

  /** Prints a remark for people to stderr. */
  note(text: string): void {
    this.#write(this.#stderr, this.#redactor.mask(text));
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

  #write(stream: Stream, text: string): void {
    if (stream === this.#stdout && this.isClosed) return;
    stream.write(`${text}\n`);
  }
}

function paint(stream: Stream, colour: Colour, text: string): string {
  const [open, close] = CODES[colour];
  return showsColours(stream) ? `\u001b[${open}m${text}\u001b[${close}m` : text;
}

function showsColours(stream: Stream): boolean {
  return stream.isTTY === true && stream.hasColors?.() === true;
}
