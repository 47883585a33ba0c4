import type { Entry } from './calendar-entries.js';

/** The time of a change that the calendar does not know. A calendar has no clock, and an event of a plan never changes. */
const NEVER = new Date(0);

/**
 * Writes a calendar as iCalendar (RFC 5545). Moments are in UTC, which every calendar shows in the zone of its reader; the
 * description has the local time of the location. What has no moment is a task (`VTODO`).
 */
export function toIcs(entries: readonly Entry[], hash: string, title: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//multilocal//plans//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escaped(title)}`,
    ...(hash === '' ? [] : [`X-MULTILOCAL-PLAN-HASH:${hash}`]),
    ...entries.flatMap((entry) => component(entry, hash)),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function component(entry: Entry, hash: string): string[] {
  const { id, time, location, city, operation, platforms, updatedAt = NEVER } = entry;
  const kind = time ? 'VEVENT' : 'VTODO';
  const what = platforms.length > 0 ? platforms.join(', ') : operation;
  return [
    `BEGIN:${kind}`,
    `UID:${escaped(id)}@multilocal`,
    `DTSTAMP:${utc(updatedAt)}`,
    // A publication takes no time. A quarter of an hour makes it visible, and it blocks nobody's day.
    ...(time ? [`DTSTART:${utc(time.moment)}`, 'DURATION:PT15M', 'TRANSP:TRANSPARENT'] : []),
    `SUMMARY:${escaped([location, what].filter(Boolean).join(': '))}`,
    ...(location === '' ? [] : [`LOCATION:${escaped([location, city].filter(Boolean).join(', '))}`]),
    `DESCRIPTION:${escaped(describe(entry, hash))}`,
    `END:${kind}`,
  ];
}

function describe({ time, remark, texts, links }: Entry, hash: string): string {
  return [
    time ? `${time.date} ${time.time} (${time.zone}, UTC${time.offset})` : '',
    remark,
    ...texts.map(({ label, text }) => (label === '' ? text : `${label}: ${text}`)),
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
