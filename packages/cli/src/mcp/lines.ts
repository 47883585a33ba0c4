import { Transform, type TransformCallback } from 'node:stream';

/** Longest line that is looked at. The transport of the SDK would end the connection because of a longer one. */
const LONGEST = 10 * 1024 * 1024;
const NEW_LINE = 10;

/** Codes of JSON-RPC. */
const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/**
 * Passes on the lines that are messages of JSON-RPC, whole. What is none is answered with the error of JSON-RPC: the transport of the SDK
 * says nothing about it, so a client would wait forever. `isMessage`: whether a value is one. `answer`: writes a line.
 */
export class Lines extends Transform {
  readonly #isMessage: (value: unknown) => boolean;
  readonly #answer: (line: string) => unknown;
  #rest: Buffer[] = [];
  #length = 0;

  constructor(isMessage: (value: unknown) => boolean, answer: (line: string) => unknown) {
    super();
    this.#isMessage = isMessage;
    this.#answer = answer;
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    let from = 0;
    for (let end = chunk.indexOf(NEW_LINE); end >= 0; end = chunk.indexOf(NEW_LINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#line(Buffer.concat(this.#rest));
      this.#rest = [];
      this.#length = 0;
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
    done();
  }

  /** Nothing is kept of a line that is too long. */
  #keep(part: Buffer): void {
    const before = this.#length;
    this.#length += part.length;
    if (this.#length < LONGEST) this.#rest.push(part);
    else this.#rest = [];
    if (before < LONGEST && this.#length >= LONGEST)
      this.#refuse(null, INVALID_REQUEST, 'Invalid request: the line is longer than 10 MB.');
  }

  #line(line: Buffer): void {
    // Some programs begin with a byte order mark, which goes with the spaces.
    const text = line.toString('utf8').trim();
    if (text === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(null, PARSE_ERROR, 'Parse error: the line is not JSON.');
      return;
    }
    if (this.#isMessage(value)) this.push(`${text}\n`);
    else this.#refuse(idOf(value), INVALID_REQUEST, 'Invalid request: the line is no message of JSON-RPC 2.0.');
  }

  #refuse(id: unknown, code: number, message: string): void {
    this.#answer(`${JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } })}\n`);
  }
}

function idOf(value: unknown): unknown {
  const { id = null }: { id?: unknown } = Object(value);
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
