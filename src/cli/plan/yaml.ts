import { isAlias, isMap, isScalar, isSeq, parseDocument, visit } from 'yaml';
import { type Parsed, type Place, SyntaxProblem } from './place.js';

/**
 * Parses YAML 1.2 with its core schema: strings, numbers, booleans, null, lists and maps. Custom tags are refused.
 * @throws a {@link SyntaxProblem} with the first error.
 */
export function parseYaml(text: string): Parsed {
  const document = parseDocument(text, { version: '1.2', schema: 'core', uniqueKeys: true, prettyErrors: false });
  // An unknown tag is only a warning to the library.
  const [first] = [...document.errors, ...document.warnings];
  // The library's messages may repeat parts of the file.
  if (first) throw new SyntaxProblem(first.pos[0], `The file is not YAML: ${ERRORS[first.code] ?? OTHER}.`);
  visit(document, {
    Alias(_, alias, parents) {
      const target = alias.resolve(document);
      if (target && parents.includes(target))
        throw new SyntaxProblem(startOf(alias), `The file is not a plan: \`*${alias.source}\` refers to itself.`);
    },
  });
  try {
    // Aliases can make a short file huge.
    return { value: document.toJS({ maxAliasCount: 100 }), place: placeOf(document.contents) };
  } catch {
    throw new SyntaxProblem(0, 'The file is not YAML that can be read: it has an unknown alias or too many aliases.');
  }
}

function placeOf(node: unknown, offset = startOf(node)): Place {
  const inner = new Map<string | number, Place>();
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      if (isScalar(key)) inner.set(String(key.value), placeOf(value, startOf(key)));
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) inner.set(index, placeOf(item));
  }
  return { offset, inner };
}

function startOf(node: unknown): number {
  const hasRange = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
  return (hasRange && node.range?.[0]) || 0;
}

const OTHER = 'this line cannot be read';

const ERRORS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'duplicate key in this map',
  MULTIPLE_DOCS: 'a plan is one document, and a second one begins here',
  TAG_RESOLVE_FAILED: 'tags are not allowed',
  TAB_AS_INDENT: 'a tab is not allowed as indentation',
  BAD_INDENT: 'the indentation is wrong',
};
