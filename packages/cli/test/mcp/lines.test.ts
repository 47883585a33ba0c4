import { expect, it } from 'vitest';
import { Lines } from '../../src/mcp/lines.js';

const MESSAGE = '{"jsonrpc":"2.0","id":1,"method":"é"}\n';

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

it('a line that is longer than any message goes on in pieces, and nothing waits in memory', () => {
  const lines = new Lines(
    () => true,
    () => {},
  );
  for (let count = 0; count < 12; count++) lines.write(Buffer.alloc(1024 * 1024, 'a'));
  expect(lines.readableLength).toBeGreaterThan(10 * 1024 * 1024);
});
