import type { Entry } from './calendar-entries.js';

/** Entries that say the same, but for the words of their locations. */
export interface Group {
  readonly members: readonly [Member, ...Member[]];
  /** What they say. {@link SLOT} stands for a word of the location. */
  readonly said: Said;
  /** The field of the location in each slot, in the order of texts and links. `''` if it is not the same field for all. */
  readonly slots: readonly string[];
}

/** One of them, with its word for each slot. */
export interface Member {
  readonly entry: Entry;
  readonly words: readonly string[];
}

type Said = Pick<Entry, 'texts' | 'links'>;

/** Stands for a word of the location. No text of an entry has it. */
export const SLOT = '\u0001';

/**
 * Groups the entries of a day. Texts that were made of one text with `{{city}}` are found by the fields of their locations. Where a text
 * has such a word by chance, and other locations have the same text, it stays as it is.
 */
export function groupsOf(entries: readonly Entry[]): Group[] {
  const drafts = entries.map((entry, index) => {
    const { operation, remark, plan, mark, bulle_id, outcomes } = entry;
    const keyOf = ({ texts, links }: Said) =>
      JSON.stringify(bulle_id === '' ? index : [operation, texts, links, outcomes ? '' : remark, plan, mark]);
    const { words, ...template } = templateOf(entry);
    return { entry, words, template, plain: keyOf(entry), shared: keyOf(template) };
  });
  const counts = new Map<string, number>();
  for (const { plain, shared } of drafts)
    for (const key of new Set([plain, shared])) counts.set(key, (counts.get(key) ?? 0) + 1);
  const groups = new Map<string, Member[]>();
  const said = new Map<string, Said>();
  for (const { entry, words, template, plain, shared } of drafts) {
    const isShared = (counts.get(shared) ?? 0) > (counts.get(plain) ?? 0);
    const key = isShared ? shared : plain;
    said.set(key, isShared ? template : entry);
    groups.set(key, [...(groups.get(key) ?? []), { entry, words: isShared ? words : [] }]);
  }
  return [...groups].map(([key, found]) => {
    const members = found as [Member, ...Member[]];
    return { members, said: said.get(key) as Said, slots: slotsOf(members) };
  });
}

/** The words of its location in what an entry says become slots. */
function templateOf({ texts, links, place }: Entry): Said & { readonly words: readonly string[] } {
  const known = [...new Set(Object.values(place))].filter((word) => word.length > 1);
  const words: string[] = [];
  if (known.length === 0) return { texts, links, words };
  known.sort((a, b) => b.length - a.length);
  const any = known.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const whole = new RegExp(`(?<![\\p{L}\\p{N}])(?:${any})(?![\\p{L}\\p{N}])`, 'gu');
  const opened = (text: string) => text.replaceAll(whole, (word) => (words.push(word) ? SLOT : ''));
  const openedTexts = texts.map(({ label, text }) => ({ label, text: opened(text) }));
  return { texts: openedTexts, links: links.map(opened), words };
}

function slotsOf(members: readonly [Member, ...Member[]]): string[] {
  const [{ entry, words }] = members;
  const fields = Object.keys(entry.place);
  return words.map((_, slot) => {
    return fields.find((name) => members.every((one) => one.entry.place[name] === one.words[slot])) ?? '';
  });
}
