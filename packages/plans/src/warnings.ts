import type { ReviewContact } from 'multilocal';
import { momentOf } from './accounts.js';
import { type Action, at, type PlanProblem } from './actions.js';
import { isPost, isSocial } from './operations.js';
import { problemOf } from './problems.js';
import { HOUR } from './shown.js';
import { fieldsOf, idlePlatform, momentsIn } from './words.js';

/**
 * Warns about what a plan itself shows: moments in the past, actions that it has twice, posts that follow too soon, contacts and media
 * that cannot be right, and parameters without effect.
 */
export class PlanWarnings {
  readonly #now: number;
  /** The first action of each hash. */
  readonly #first = new Map<string, Action>();
  /** The moments of the posts so far, for each account. */
  readonly #posts = new Map<string, { index: number; due: number }[]>();
  /** The addresses of contacts so far. */
  readonly #contacts = new Set<string>();

  /** `now` is in ms since 1970. */
  constructor(now: number) {
    this.#now = now;
  }

  /** Returns the warnings about the next action of the plan. */
  next(action: Action): PlanProblem[] {
    const own = [...this.#past(action), ...this.#again(action), ...this.#soon(action), ...this.#wrongContacts(action)];
    return [...own, ...idle(action), ...doubtfulMedia(action)];
  }

  #past(action: Action): PlanProblem[] {
    return momentsIn(action.params).flatMap(([name]) => {
      // The schema has checked that it is a moment.
      const due = momentOf(action.params, name.replace('scheduled_', '')) as number;
      return due < this.#now ? [problemOf('in_the_past', { name }, at(action, name))] : [];
    });
  }

  #again(action: Action): PlanProblem[] {
    const first = this.#first.get(action.hash);
    if (first) return [problemOf('same_action', { action: first.index + 1 }, at(action))];
    this.#first.set(action.hash, action);
    return [];
  }

  #soon(action: Action): PlanProblem[] {
    const { operation, params, index } = action;
    if (!isPost(operation) && !isSocial(operation)) return [];
    return (params.platforms as string[]).flatMap((platform) => {
      const due = momentOf(params, platform);
      if (due === undefined) return [];
      const account = `${platform} ${params.bulle_id ?? ''}`;
      const others = this.#posts.get(account) ?? [];
      const near = others.find((other) => Math.abs(other.due - due) < HOUR);
      this.#posts.set(account, [...others, { index, due }]);
      return near ? [problemOf('same_account', { platform, action: near.index + 1 }, at(action, 'platforms'))] : [];
    });
  }

  /** Each message of a contact costs quota, and a customer who is asked twice is annoyed. */
  #wrongContacts(action: Action): PlanProblem[] {
    if (action.operation !== 'acquisition.requestReviews') return [];
    return (action.params.contacts as ReviewContact[]).flatMap((contact, index) => {
      const isSms = contact.channel === 'sms';
      const name = isSms ? 'customer_phone' : 'customer_email';
      // The schema has checked that the contact has the address of its channel.
      const given = String(contact[name]).trim();
      const address = isSms ? given.replace(NO_DIGITS, '') : given.toLowerCase();
      const path = at(action, 'contacts', index, name);
      const isLikely = (isSms ? PHONE : EMAIL).test(address);
      if (!isLikely) return [problemOf('doubtful_contact', { channel: isSms ? 'sms' : 'email' }, path)];
      // With and without the country of most numbers.
      const same = address.replace(/^(\+|00)33/, '0');
      if (this.#contacts.has(same)) return [problemOf('repeated_contact', {}, path)];
      this.#contacts.add(same);
      return [];
    });
  }
}

/** Moments and texts of a platform that `platforms` lacks. The person may have forgotten or mistyped it. */
function idle(action: Action): PlanProblem[] {
  return fieldsOf(action.params).flatMap(([name]) => {
    const platform = idlePlatform(name, action.params);
    return platform ? [problemOf('no_effect', { name, platform }, at(action, ...name.split('.')))] : [];
  });
}

/** The service fetches media by their addresses, and reads no file of this machine. */
function doubtfulMedia(action: Action): PlanProblem[] {
  const media = fieldsOf(action.params).filter(([name]) => /(image|video)_urls?$/.test(name));
  return media.flatMap(([name, value]) =>
    [value].flat().flatMap((address, index) => {
      if (!address || /^(https?:\/\/|data:)/i.test(String(address))) return [];
      return [problemOf('doubtful_address', { name }, at(action, name, ...(Array.isArray(value) ? [index] : [])))];
    }),
  );
}

/** What people write between digits. The zero of `+33 (0)6` is for callers within the country. */
const NO_DIGITS = /(?<=^(?:\+|00)[\d\s]+)\(0\)|[\s().\-/]/g;
/** With a country (`+33`, `0033`), or national with the zero that spreadsheets remove. */
const PHONE = /^(?:(?:\+|00)[1-9]\d{6,14}|0[1-9]\d{7,9})$/;
const EMAIL = /^[^\s@<>",;]+@[^\s@<>",;]+\.[^\s@<>",;.]{2,}$/;
