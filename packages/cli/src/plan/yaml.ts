import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, parseDocument, visit } from 'yaml';
import { type Parsed, type Place, SyntaxProblem } from './place.js';

/**
 * Parses YAML 1.2 with its core schema: strings, numbers, booleans, null, lists and maps. Custom tags are refused. The
 * merge keys of YAML 1.1 (`<<: *base`) work, because people share parameters with them.
 * @throws a {@link SyntaxProblem} with the first error.
 */
export function parseYaml(text: string): Parsed {
  // The library compares each key with all keys before it. `placeOf` finds duplicates in one pass.
  const document = parseDocument(text, OPTIONS);
  // An unknown tag is only a warning to the library.
  const [first] = [...document.errors, ...document.warnings];
  // The library's messages may repeat parts of the file.
  if (first) throw new SyntaxProblem(first.pos[0], `The file is not YAML: ${ERRORS[first.code] ?? OTHER}.`);
  refuseLostText(document, text);
  const merges: Merge[] = [];
  const place = placeOf(document.contents, merges);
  expand(document, text.length + MOST_REPEATED);
  for (const { inner, pair } of merges) addMerged(inner, pair);
  return { value: document.toJS(), place };
}

const OPTIONS = { version: '1.2', schema: 'core', merge: true, uniqueKeys: false, prettyErrors: false } as const;

/**
 * Refuses valid YAML that does not say what was typed: a hashtag that begins a comment, and `{{name}}`, which is a map. Only quotes
 * keep them.
 */
function refuseLostText(document: Document, text: string): void {
  visit(document, {
    Scalar(_, node) {
      if (node.type !== 'PLAIN' || typeof node.value !== 'string' || !node.range) return;
      const [hashtag] = /^[^\S\n]+#[^\s#]/.exec(text.slice(node.range[1], node.range[1] + 1_000)) ?? [];
      if (hashtag === undefined) return;
      const message = 'The text ends here, because ` #` begins a comment. Put a text with hashtags in quotes.';
      throw new SyntaxProblem(node.range[1] + hashtag.length - 2, message);
    },
    Map(_, node) {
      if (!node.flow || !node.items.some(({ key }) => isMap(key))) return;
      throw new SyntaxProblem(startOf(node), 'A text that begins with `{{` must be in quotes.');
    },
  });
}

/** Number of values that aliases may repeat. */
const MOST_REPEATED = 100_000;

/**
 * Replaces each alias with its value. The library searches the whole document for each alias. A document has fewer values
 * than characters, so only aliases can exceed `most`: they can make a short file huge.
 */
function expand(document: Document, most: number): void {
  const anchors = new Map<string, Node>();
  let left = most;
  visit(document, {
    Value(_, node) {
      left--;
      const last = node.anchor === undefined ? undefined : anchors.get(node.anchor);
      // Values behind an alias are visited again, but they must not hide a later value with the same anchor.
      if (node.anchor !== undefined && startOf(last) <= startOf(node)) anchors.set(node.anchor, node);
    },
    Alias(_, alias, parents) {
      const refused = (message: string) => new SyntaxProblem(startOf(alias), message);
      const target = anchors.get(alias.source);
      if (!target) throw refused('The file is not YAML: this alias has no anchor before it.');
      if (parents.includes(target)) throw refused(`The file is not a plan: \`*${alias.source}\` refers to itself.`);
      if (left <= 0) throw refused('The file is not a plan: it has too many aliases.');
      return target;
    },
  });
}

/** A merge key, and the places of the map in which it stands. */
interface Merge {
  readonly inner: Map<string | number, Place>;
  readonly pair: Pair;
}

/** Returns the places of a node. Collects merge keys, whose maps are known only when aliases have their values. */
function placeOf(node: unknown, merges: Merge[], offset = startOf(node)): Place {
  const inner = new Map<string | number, Place>();
  if (isMap(node)) {
    for (const pair of node.items) {
      const { key, value } = pair;
      if (!isScalar(key)) continue;
      const name = isMerge(pair) ? MERGE : String(key.value);
      if (inner.has(name)) throw new SyntaxProblem(startOf(key), 'The file is not YAML: duplicate key in this map.');
      inner.set(name, placeOf(value, merges, startOf(key)));
      if (isMerge(pair)) merges.push({ inner, pair });
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) inner.set(index, placeOf(item, merges));
  }
  return { offset, inner };
}

const MERGE = '<<';

/** The library reads a merge key as a symbol, and `"<<"` in quotes as a string. */
function isMerge({ key }: Pair): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

/** Adds the places of merged values: there they can be corrected. A field of the map itself and an earlier map win. */
function addMerged(inner: Merge['inner'], { key, value }: Pair): void {
  for (const source of isSeq(value) ? value.items : [value]) {
    if (!isMap(source)) {
      throw new SyntaxProblem(
        startOf(source) || startOf(key),
        'The file is not YAML: `<<` takes a map or a list of maps.',
      );
    }
    for (const pair of source.items) {
      const name = isScalar(pair.key) ? String(pair.key.value) : '';
      if (!isMerge(pair) && !inner.has(name)) inner.set(name, placeOf(pair.value, [], startOf(pair.key)));
    }
    for (const pair of source.items) if (isMerge(pair)) addMerged(inner, pair);
  }
}

function startOf(node: unknown): number {
  const hasRange = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node);
  return (hasRange && node.range?.[0]) || 0;
}

const OTHER = 'this line cannot be read';

const ERRORS: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'a plan is one document, and a second one begins here',
  TAG_RESOLVE_FAILED: 'tags are not allowed',
  TAB_AS_INDENT: 'a tab is not allowed as indentation',
  BAD_INDENT: 'the indentation is wrong',
};
