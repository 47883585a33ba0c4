import type { Both } from '@multilocal/plans/words';
import { type Document, isMap, isNode, isPair, isScalar, isSeq, type Node, parseDocument, visit } from 'yaml';
import { SYNTAX } from '../syntax-said.js';
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
  if (first) {
    const [offset] = first.pos;
    const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
    if (/[:,[-]\s+\{\{[^"']*$/.test(before))
      throw new SyntaxProblem(offset - before.length + before.indexOf('{{'), SYNTAX.quotes('{{'));
    throw new SyntaxProblem(offset, SYNTAX.yaml(first.code));
  }
  refuseLostText(document, text);
  expand(document, text.length + MOST_REPEATED);
  return { place: placeOf(document.contents), value: document.toJS() };
}

const OPTIONS = { version: '1.2', schema: 'core', merge: true, uniqueKeys: false, prettyErrors: false } as const;

/**
 * Refuses valid YAML that does not say what was typed: hashtags that begin a comment, `&name` that is an anchor, `!` that is a tag,
 * and `{{name}}` that is a map. Only quotes keep them, or a block.
 */
function refuseLostText(document: Document, text: string): void {
  visit(document, {
    Scalar(role, { value, type, range, comment, commentBefore, anchor, tag }, path) {
      if (role === 'key' || !range || (value !== null && typeof value !== 'string')) return;
      const [start, end] = range;
      if (tag === '!') throw new SyntaxProblem(start, SYNTAX.quotes('!'));
      if (anchor !== undefined && !text.includes(`*${anchor}`)) throw new SyntaxProblem(start, SYNTAX.quotes('&'));
      const [behind = '', space = '', line = ''] = /^(\s*)(#.*)/.exec(text.slice(end, end + 1_000)) ?? [];
      const [above, isBlock] = [path.at(-1), type?.startsWith('BLOCK')];
      const begin = isPair(above) ? above.key : isSeq(above) && !above.flow ? above : undefined;
      const isDeeper = columnIn(text, end + space.length) > columnIn(text, startOf(begin));
      // A line that goes on with a text is indented deeper than its key, or than the dash of its item.
      const goesOn = begin !== undefined && (isBlock || space.includes('\n')) && isDeeper;
      const isCut = goesOn ? isHashtag(line) : !isBlock && /^[^\S\n]+#[^\s#]/.test(behind);
      const isQuoted = type?.startsWith('QUOTE');
      if (value !== null && ((isCut && !isQuoted) || isHashtags(line)))
        throw new SyntaxProblem(end + space.length, SYNTAX.comment());
      // Before the text, behind the mark of a block, or instead of a text.
      const comments = `${commentBefore ?? ''}\n${comment ?? ''}`.split('\n');
      if (comments.some((one) => isHashtags(`#${one}`))) throw new SyntaxProblem(start, SYNTAX.comment());
    },
    Map(_, node) {
      if (!node.flow || !node.items.some(({ key }) => isMap(key))) return;
      throw new SyntaxProblem(startOf(node), SYNTAX.quotes('{{'));
    },
  });
}

/** Whether a comment begins with several hashtags. One may be a note. */
function isHashtags(comment: string): boolean {
  return isHashtag(comment) && comment.split(/\s+/).slice(1).some(isHashtag);
}

/** `#key: value` is a value that was taken out. */
function isHashtag(comment: string): boolean {
  return /^#[\p{L}\p{N}_{](?:\S*[^\s:])?(?!\S)/u.test(comment);
}

function columnIn(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1);
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
      const refused = (said: Both) => new SyntaxProblem(startOf(alias), said);
      const target = anchors.get(alias.source);
      if (!target) throw refused(SYNTAX.yaml('NO_ANCHOR'));
      if (parents.includes(target)) throw refused(SYNTAX.circle(alias.source));
      if (left <= 0) throw refused(SYNTAX.aliases());
      return target;
    },
  });
}

/** Returns the places of a node. Merged values stand where they can be corrected. */
function placeOf(node: unknown, offset = startOf(node)): Place {
  const inner = new Map<string | number, Place>();
  for (const [index, item] of isSeq(node) ? node.items.entries() : []) inner.set(index, placeOf(item));
  for (const { key, value } of isMap(node) ? node.items : []) {
    if (!isScalar(key)) continue;
    const name = isMerge(key) ? MERGE : String(key.value);
    if (inner.has(name)) throw new SyntaxProblem(startOf(key), SYNTAX.yaml('DUPLICATE'));
    inner.set(name, placeOf(value, startOf(key)));
  }
  const merge = isMap(node) ? node.items.find(({ key }) => isMerge(key)) : undefined;
  const merged = inner.get(MERGE);
  if (!merge || !merged) return { offset, inner };
  for (const [index, source] of (isSeq(merge.value) ? merge.value.items : [merge.value]).entries()) {
    if (!isMap(source)) throw new SyntaxProblem(startOf(source) || startOf(merge.key), SYNTAX.yaml('MERGE'));
    // Own fields and earlier maps win.
    for (const field of (merged.inner.get(index) ?? merged).inner) if (!inner.has(field[0])) inner.set(...field);
  }
  return { offset, inner };
}

const MERGE = '<<';

/** The library reads a merge key as a symbol, and `"<<"` in quotes as a string. */
function isMerge(key: unknown): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

function startOf(node: unknown): number {
  return (isNode(node) && node.range?.[0]) || 0;
}
