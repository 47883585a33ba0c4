import type { Entry } from './calendar-entries.js';
import { labelOf, type Words } from './calendar-words.js';

/** The time of a change that is not given. A calendar has no clock. */
const UNKNOWN = new Date(0);

/** What the events of a calendar share. */
interface Shared {
  readonly words: Words;
  readonly madeAt: Date | undefined;
}

/**
 * Writes a calendar as iCalendar (RFC 5545). Moments are in UTC, which every calendar shows in the zone of its reader; the
 * description has the local time of the location. What has no moment is a task (`VTODO`).
 */
export function toIcs(entries: readonly Entry[], title: string, shared: Shared): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//multilocal//plans//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(title)}`,
    ...[...new Set(entries.map(({ hash }) => hash))].filter(Boolean).map((hash) => `X-MULTILOCAL-PLAN-HASH:${hash}`),
    ...entries.flatMap((entry) => component(entry, shared)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function component(entry: Entry, shared: Shared): string[] {
  const { id, time, location, city, operation = '', platforms, mark, updatedAt = shared.madeAt } = entry;
  const kind = time ? 'VEVENT' : 'VTODO';
  const what = platforms.length > 0 ? platforms.join(', ') : labelOf(shared.words, operation);
  return [
    `BEGIN:${kind}`,
    `UID:${escaped(id)}`,
    `DTSTAMP:${utc(updatedAt ?? UNKNOWN)}`,
    // Programs replace an entry by one with a higher number. Minutes fit into it.
    ...(updatedAt ? [`SEQUENCE:${Math.floor(+updatedAt / 60_000)}`] : []),
    // A publication takes no time. A quarter of an hour makes it visible, and it blocks no time of the day.
    ...(mark === 'delete' || mark === 'adopt' ? ['STATUS:CANCELLED'] : []),
    ...(time ? [`DTSTART:${utc(time.moment)}`, 'DURATION:PT15M', 'TRANSP:TRANSPARENT'] : []),
    `SUMMARY:${escaped([location, what].filter(Boolean).join(': '))}`,
    ...(location === '' ? [] : [`LOCATION:${escaped([location, city].filter(Boolean).join(', '))}`]),
    `DESCRIPTION:${escaped(describe(entry, shared))}`,
    `END:${kind}`,
  ];
}

function describe({ time, remark, texts, links, hash }: Entry, { words }: Shared): string {
  return [
    time ? `${time.date} ${time.time} (${time.zone}, UTC${time.offset})` : '',
    remark,
    ...texts.map(({ label, text }) => (label === '' ? text : `${labelOf(words, label)}${words.colon}${text}`)),
    links.join('\n'),
    hash === '' ? '' : `Plan ${hash}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function utc(moment: Date): string {
  return `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\;,]/g, '\\$&').replaceAll(/\r\n?|\n/g, '\\n');
}

const MOST_OCTETS = 75;
const encoder = new TextEncoder();

/** Breaks a line into parts of at most 75 octets. No character is broken. */
function folded(line: string): string {
  let [text, octets] = ['', 0];
  for (const character of line) {
    const size = encoder.encode(character).length;
    if (octets + size > MOST_OCTETS) {
      text += '\r\n ';
      octets = 1;
    }
    text += character;
    octets += size;
  }
  return text;
}
