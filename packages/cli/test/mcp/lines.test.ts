import { expect, it } from 'vitest';
import { Lines } from '../../src/mcp/lines.js';

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"é"}\n';
const long = Array.from({ length: 12 }, () => Buffer.alloc(1024 * 1024, 'a'));

it.each<[what: string, chunks: (string | Buffer)[], passed: string, answered: (number | string | null)[][]]>([
  ['a message in pieces', [...Buffer.from(MESSAGE)].map((byte) => Buffer.from([byte])), MESSAGE, []],
  ['several in one piece, and an empty line', [`${MESSAGE}\r\n${MESSAGE}`], MESSAGE + MESSAGE, []],
  [
    'what is no JSON',
    ['hello\n', '{"id":3,\n', MESSAGE],
    MESSAGE,
    [
      [null, -32_700],
      [null, -32_700],
    ],
  ],
  [
    'JSON that is no message',
    ['[]\n{"id":"x"}\n{"id":{}}\nnull\n'],
    '',
    [
      [null, -32_600],
      ['x', -32_600],
      [null, -32_600],
      [null, -32_600],
    ],
  ],
  ['a line that does not end', [`${MESSAGE}{"a"`], MESSAGE, []],
  ['a byte order mark', [`\ufeff${MESSAGE}`], MESSAGE, []],
  [
    'a line of 12 MB, and one that does not end',
    [...long, `\n${MESSAGE}`, ...long],
    MESSAGE,
    [
      [null, -32_600],
      [null, -32_600],
    ],
  ],
])('%s', (_, chunks, passed, answered) => {
  const errors: unknown[] = [];
  const isMessage = (value: unknown) => 'method' in Object(value);
  const lines = new Lines(isMessage, (line) => errors.push(JSON.parse(line)));
  for (const chunk of chunks) lines.write(chunk);
  expect([String(lines.read() ?? ''), errors.map((one) => [Object(one).id, Object(one).error.code])]).toEqual([
    passed,
    answered,
  ]);
});
