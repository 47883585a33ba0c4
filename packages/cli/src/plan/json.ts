import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Parsed, type Place, SyntaxProblem } from './place.js';

/**
 * Parses JSON. A duplicate field is refused, because `JSON.parse` would ignore the first one.
 * @throws a {@link SyntaxProblem} with the first error.
 */
export function parseJson(text: string): Parsed {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  for (const { error, offset } of errors.slice(0, 1)) {
    const expected = EXPECTED[printParseErrorCode(error)] ?? 'this is not a JSON value';
    throw new SyntaxProblem(offset, `The file is not JSON: ${expected}.`);
  }
  // The tree is complete if there is no error.
  return { value: JSON.parse(text), place: placeOf(tree as Node) };
}

function placeOf({ type, children = [], offset: start }: Node, offset = start): Place {
  const inner = new Map<string | number, Place>();
  for (const [index, child] of children.entries()) {
    // A property has two children: its name and its value.
    const [name, value = child] = type === 'object' ? (child.children ?? []) : [];
    const key = name ? name.value : index;
    if (inner.has(key)) throw new SyntaxProblem(child.offset, 'Duplicate key in this object.');
    inner.set(key, placeOf(value, child.offset));
  }
  return { offset, inner };
}

const EXPECTED: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes is expected here (no comma may follow the last field)',
  ValueExpected: 'a value is expected here (no comma may follow the last value)',
  ColonExpected: 'a colon is expected here',
  CommaExpected: 'a comma is expected here',
  CloseBraceExpected: '`}` is expected here',
  CloseBracketExpected: '`]` is expected here',
  EndOfFileExpected: 'the file should end here',
  InvalidCommentToken: 'comments are not allowed (YAML allows them)',
  UnexpectedEndOfString: 'this string does not end on its line',
  InvalidEscapeCharacter: 'this string has an unknown escape sequence',
  InvalidCharacter: 'this string has a control character, such as a tab',
};
