// Somebody who writes plans: rows of a table, how they are called, and how they change.
import type { Plan } from '../../src/index.js';
import { planOf } from '../helpers.js';

export type Roll = (below: number) => number;

/** A small generator, so that a story can be told again. */
export function chance(seed: number): Roll {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 0x9e3779b9) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A post that somebody wants. `uid` is what the person knows it by: it stands in its text, and in no key. */
export interface Row {
  readonly uid: string;
  readonly text: string;
  readonly platforms: readonly string[];
  readonly bulle_id: string;
  readonly at: number;
  readonly image?: boolean;
}

/** How rows are called. `time`: as tables without a column of keys. `none`: not at all. `short`: as another plan calls its own. */
export type Naming = 'time' | 'own' | 'none' | 'short';

const PLACES = ['bul_lyon_croix_rousse', 'bul_paris_batignolles'] as const;
const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const DAYS = ['lundi', 'mardi', 'mercredi', 'jeudi', 'vendredi', 'samedi', 'dimanche'];

/** A plan as somebody has written it. */
export class Author {
  rows: readonly Row[] = [];
  name: string | undefined;
  naming: Naming;
  #made = 0;

  constructor(
    readonly person: string,
    private readonly roll: Roll,
    isNamed: boolean,
  ) {
    this.name = isNamed ? person : undefined;
    this.naming = isNamed ? ((['time', 'own', 'none', 'short'] as const)[roll(4)] ?? 'own') : 'none';
  }

  /** The next version: rows are kept, moved, reworded, illustrated, left out and added. What is online stays as it is. */
  rewrite(now: number, isFrozen: (row: Row) => boolean): string {
    const { roll } = this;
    const kept = this.rows.flatMap((row): Row[] => {
      if (isFrozen(row)) return roll(4) === 0 ? [] : [row];
      switch (roll(9)) {
        case 0:
          return [];
        case 1:
          return [{ ...row, text: `${row.uid} galette ${roll(1_000)}` }];
        case 2:
        case 3:
          return [{ ...row, at: row.at + HOUR * (1 + roll(3)) }];
        case 4:
          return [{ ...row, platforms: row.platforms.length === 1 ? ['facebook', 'gmb'] : ['facebook'] }];
        case 5:
          return [{ ...row, image: !row.image }];
        case 6:
          return [{ ...row, bulle_id: PLACES[roll(2)] ?? '' }];
        default:
          return [row];
      }
    });
    const fresh = Array.from({ length: this.rows.length === 0 ? 4 : roll(3) }, (): Row => {
      const uid = `${this.person}${++this.#made}`;
      const platforms = [['facebook'], ['facebook', 'gmb'], ['gmb']][roll(3)] ?? [];
      // Plans of two people never share an hour, and no text is that of another row.
      const at = Math.ceil(now / DAY + 1 + roll(4)) * DAY + HOUR * (2 * roll(6) + (this.person === 'A' ? 0 : 1));
      return { uid, text: `${uid} galette`, platforms, bulle_id: PLACES[roll(2)] ?? '', at };
    });
    this.rows = [...kept, ...fresh];
    if (this.name !== undefined && roll(5) === 0) this.naming = (['time', 'own', 'none'] as const)[roll(3)] ?? 'own';
    return this.rows
      .map((row) => `${row.text} ${row.platforms} ${row.bulle_id} ${new Date(row.at).toISOString()}`)
      .join('\n  ');
  }

  plan(name = this.name): Plan {
    const actions = this.rows.map((row, index) => {
      const { text: content, platforms, bulle_id, at, image } = row;
      const scheduled_at = new Date(at).toISOString();
      const picture = image ? { image_url: 'https://x.test/a.jpg' } : {};
      const params = { content, platforms, bulle_id, scheduled_at, ...picture };
      const key = this.#keyOf(row, index, name);
      return { ...(key !== undefined && { key }), operation: 'posts.create', params };
    });
    return { ...planOf(actions), ...(name !== undefined && { name }) };
  }

  #keyOf({ uid, bulle_id, at }: Row, index: number, name: string | undefined): string | undefined {
    if (this.naming === 'none') return undefined;
    if (this.naming === 'own') return `${uid} de ${this.person}`;
    if (this.naming === 'short') return `${DAYS[index % 7]}${index > 6 ? index : ''}`;
    const same = this.rows.slice(0, index).filter((row) => row.bulle_id === bulle_id && row.at === at).length;
    return `${name}/${bulle_id} ${new Date(at).toISOString()}${same > 0 ? ` ${same}` : ''}`;
  }
}
