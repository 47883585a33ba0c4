import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';
import { SYNTAX } from '../syntax-said.js';
import { type Parsed, type Place, SyntaxProblem } from './place.js';

/**
 * Parses JSON. A duplicate field is refused, because `JSON.parse` would ignore the first one.
 * @throws a {@link SyntaxProblem} with the first error.
 */
export function parseJson(text: string): Parsed {
  const errors: ParseError[] = [];
  const tree = parseTree(text, errors, { disallowComments: true });
  for (const { error, offset } of errors.slice(0, 1)) {
    throw new SyntaxProblem(offset, SYNTAX.json(printParseErrorCode(error)));
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
    if (inner.has(key)) throw new SyntaxProblem(child.offset, SYNTAX.duplicate());
    inner.set(key, placeOf(value, child.offset));
  }
  return { offset, inner };
}
