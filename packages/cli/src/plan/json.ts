import { type Node, type ParseError, type ParseErrorCode, parseTree, printParseErrorCode } from 'jsonc-parser';
import { type Parsed, type Place, SyntaxProblem } from './place.js';

/**
 * Parses JSON. A duplicate field is refused, because `JSON.parse` would ignore the first one.
 * @throws a {@link SyntaxProblem} with the first error.
 */
export function parseJson(text: string): Parsed {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors;
  if (first) throw new SyntaxProblem(first.offset, `The file is not JSON: ${describe(first.error)}.`);
  // The tree is complete if there is no error.
  const place = placeOf(tree as Node);
  return { value: JSON.parse(text), place };
}

function placeOf(node: Node, offset = node.offset): Place {
  const inner = new Map<string | number, Place>();
  for (const [index, child] of (node.children ?? []).entries()) {
    const [name, value] = child.type === 'property' ? (child.children ?? []) : [];
    if (!name || !value) {
      inner.set(index, placeOf(child));
      continue;
    }
    if (inner.has(name.value)) throw new SyntaxProblem(child.offset, 'Duplicate key in this object.');
    inner.set(name.value, placeOf(value, child.offset));
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

function describe(code: ParseErrorCode): string {
  return EXPECTED[printParseErrorCode(code)] ?? 'this is not a JSON value';
}
