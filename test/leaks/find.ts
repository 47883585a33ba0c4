import { format, inspect } from 'node:util';
import { serialize } from 'node:v8';
import { renderings } from '../support/render.js';

/** How many consecutive characters of a secret give it away. */
const PART = 12;

/** A key whose part behind the prefix is long, and looks different percent-encoded. */
export const SECRET = 'acme_live_q7Vx+T9/kLmZw2%Rf8?Yb4=nH6sDcG3';
export const PREFIX = 'acme_live_';

export const PHONE = '+33612345678';
export const EMAIL = 'ada.lovelace@private.example';
export const CONTACTS = [
  { customer_name: 'Ada', channel: 'sms', customer_phone: PHONE },
  { customer_name: 'Ada', channel: 'email', customer_email: EMAIL },
] as const;

/** Each text that would show the secret, by the name of its form. */
export type Needles = ReadonlyMap<string, string>;

function addParts(needles: Map<string, string>, name: string, text: string): void {
  for (let at = 0; at + PART <= text.length; at++) needles.set(text.slice(at, at + PART), `${name}, from ${at}`);
}

/** The key whole and any part of what follows its prefix: as it is and percent-encoded. */
export function needlesOfKey(key = SECRET, prefix = PREFIX): Needles {
  const needles = new Map<string, string>();
  const random = key.slice(prefix.length);
  addParts(needles, 'a part of the key', random);
  addParts(needles, 'a part of the key, percent-encoded', encodeURIComponent(random));
  addParts(needles, 'a part of the key, percent-encoded in lower case', encodeURIComponent(random).toLowerCase());
  return needles;
}

/** Phone numbers and e-mail addresses, percent-encoded too; of a number its digits without the `+33`. */
export function needlesOfContacts(): Needles {
  const needles = new Map<string, string>();
  for (const [name, text] of [
    ['the phone number', PHONE.slice(3)],
    ['the e-mail address', EMAIL],
  ] as const) {
    needles.set(text, name);
    needles.set(encodeURIComponent(text), `${name}, percent-encoded`);
  }
  return needles;
}

/** All that a value shows in any of the ways in which programs and people look at it. */
export function everything(value: unknown): Record<string, string> {
  const shown = { ...renderings(value) };
  const add = (way: string, show: () => unknown) => {
    try {
      shown[way] = String(show());
    } catch {}
  };
  // Getters may make something new each time, as `dryRun` does: no deeper than this.
  add('inspect with getters', () => inspect(value, { getters: true, depth: 1, maxStringLength: null }));
  add('inspect without proxies', () => inspect(value, { showProxy: true, depth: 6, customInspect: false }));
  add('within a list', () => inspect([{ value }], { depth: 6 }));
  add('within a Map', () => inspect(new Map([['value', value]]), { depth: 6 }));
  add('as a cause', () => inspect(new Error('outer', { cause: value }), { depth: 6, showHidden: true }));
  add('among several errors', () => inspect(new AggregateError([value], 'several'), { depth: 6, showHidden: true }));
  add('format %j', () => format('%j %d %i %c %s', value, value, value, '', value));
  add('JSON with all own names', () => JSON.stringify(value, Object.getOwnPropertyNames(value)));
  add('v8.serialize', () => serialize(value).toString('latin1'));
  add('its chain of prototypes', () => {
    const lines: string[] = [];
    for (let at: unknown = value, depth = 0; typeof at === 'object' && at !== null && depth < 5; depth++) {
      for (const name of Reflect.ownKeys(at)) {
        try {
          lines.push(`${String(name)}: ${inspect(Reflect.get(at, name, value), { depth: 5 })}`);
        } catch {}
      }
      at = Object.getPrototypeOf(at);
    }
    return lines.join('\n');
  });
  return shown;
}

/** Where any of the needles shows: one line a way. */
export function leaksIn(shown: Readonly<Record<string, string>>, needles: Needles): string[] {
  const leaks: string[] = [];
  for (const [way, text] of Object.entries(shown)) {
    for (const [needle, name] of needles) {
      const at = text.indexOf(needle);
      if (at < 0) continue;
      leaks.push(`${way} shows ${name}: …${text.slice(Math.max(0, at - 80), at + needle.length + 10)}…`);
      break;
    }
  }
  return leaks;
}
