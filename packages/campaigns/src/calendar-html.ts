import { offsetInWords, platformName } from '@multilocal/plans/words';
import type { Entry, LocalTime } from './calendar-entries.js';
import { stylesOf } from './calendar-styles.js';
import { dayInWords, type Locale, labelOf, type Words, zoneInWords } from './calendar-words.js';
import { showInvisible } from './invisible.js';

/** A plan of the page, as the client approves it. */
interface Code {
  readonly name: string;
  readonly hash: string;
  /** Whether all actions name the place where they act, so that the hash is that of a rehearsal. */
  readonly isPlaced: boolean;
}

/** Everything that a page shows beside its entries. */
export interface Page {
  readonly title: string;
  readonly zone: string;
  readonly locale: Locale;
  readonly words: Words;
  readonly codes: readonly Code[];
  readonly images?: boolean | undefined;
  readonly approve?: string | undefined;
}

/** Writes a calendar as one HTML file. Days and hours are those of each location. Without `images`, it loads nothing. */
export function toHtml(entries: readonly Entry[], page: Page): string {
  const { title, locale, words, images } = page;
  const dated = entries.filter(({ time }) => time);
  const days = [...new Set(dated.map(({ time }) => time?.date ?? ''))].sort();
  const sections = days.map((day) => {
    const own = dated.filter(({ time }) => time?.date === day);
    return section(dayInWords(day, locale), own, page);
  });
  const others = entries.filter(({ time }) => !time);
  if (others.length > 0) sections.push(section(words.undated, others, page));
  // A picture of another site cannot be embedded without a request, and a page with many would be too large for a mail.
  const sources = images ? '; img-src https: data:' : '';
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'${sources}">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${stylesOf(page.codes.map(({ hash }) => hash).join(' '))}</style>
</head>
<body>
<header>
<h1 dir="auto">${visible(title)}</h1>
<p class="summary">${escaped(summary(entries, days, page))}</p>
${zoneOf(dated, page)}</header>
<main>
${sections.join('\n') || `<p class="summary">${words.nothing}</p>`}
</main>
${footer(page)}</body>
</html>
`;
}

function summary(entries: readonly Entry[], days: readonly string[], { locale, words }: Page): string {
  const [first, last] = [days[0], days.at(-1)].map((day) => day && dayInWords(day, locale));
  return [
    words.publications(entries.length),
    words.locations(countOfPlaces(entries)),
    ...(first && last ? [first === last ? first : words.span(first, last)] : []),
  ].join(' · ');
}

/** Most locations share a zone. Only the others have theirs beside their times. */
function zoneOf([first]: readonly Entry[], { zone, locale, words }: Page): string {
  if (!first?.time) return '';
  return `<p class="zone">${escaped(words.zone(zoneInWords(zone, first.time.moment, locale), zone))}</p>\n`;
}

function section(heading: string, entries: readonly Entry[], page: Page): string {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const { operation, texts, links, remark, plan } = entry;
    // What is shown once must be the same, but for location, time and platforms.
    const isShared = entry.bulle_id !== '';
    const same = JSON.stringify(isShared ? [operation, texts, links, remark, plan] : [groups.size]);
    groups.set(same, [...(groups.get(same) ?? []), entry]);
  }
  const items = [...groups.values()].map((group) => item(group as Group, page));
  return `<section>\n<h2>${escaped(heading)}</h2>\n<ol>\n${items.join('\n')}\n</ol>\n</section>`;
}

/** Entries that say the same. */
type Group = [Entry, ...Entry[]];

function item(group: Group, page: Page): string {
  const [first] = group;
  const { words, codes } = page;
  const { operation = 'posts.create', city, location, texts, links, remark, plan } = first;
  const languages = new Set(group.map(({ language }) => language));
  const language = languages.size === 1 ? first.language : '';
  const isPost = operation === 'posts.create' || operation === 'social.publish';
  const name = labelOf(words, operation);
  const isSingle = group.length === 1;
  const pills = [
    ...(codes.length > 1 ? [plan] : []),
    ...new Set(group.flatMap(({ platforms }) => platforms.map(platformName))),
    ...(isPost ? [] : [name]),
  ];
  const shown = texts.map(({ label, text }) => {
    const kind = label === 'review' ? 'text review' : 'text';
    const head = label === '' || label === 'review' ? '' : `<h4>${escaped(titled(labelOf(words, label)))}</h4>\n`;
    return `${head}<p class="${kind}" dir="auto"${languageOf(language)}>${written(text)}</p>`;
  });
  // The review stands above its reply.
  shown.sort((a, b) => Number(b.includes('text review')) - Number(a.includes('text review')));
  const pictures = first.images.filter((link) => page.images && /^(https:\/\/|data:image\/)/i.test(link));
  const others = links.filter((link) => !pictures.includes(link));
  const same = sameOf(group);
  const several = `<p class="remark">${words.several}</p>`;
  const when = !first.time
    ? ''
    : isSingle
      ? clock(first.time, page)
      : same.time === undefined
        ? several
        : timeTag(first.time);
  return `<li class="entry">
<div class="when">${when}${remark === '' ? '' : `<p class="remark">${escaped(remark)}</p>`}</div>
<div class="where">
<h3 dir="auto">${visible(same.place === undefined ? words.locations(countOfPlaces(group)) : location || name)}</h3>
${same.place !== undefined && city !== '' ? `<p class="city" dir="auto">${visible(city)}</p>\n` : ''}<ul class="platforms">${pills.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul>
</div>
<div class="what">
${pictures.length === 0 ? '' : `<div class="pictures">${pictures.map((link) => `<img src="${escaped(link)}" alt="${words.image}: ${escaped(link)}">`).join('')}</div>\n`}${shown.join('\n')}
${others.length === 0 ? '' : `<ul class="links">${others.map((link) => `<li>${linked(link)}</li>`).join('')}</ul>\n`}${isSingle ? '' : placesOf(group, same, page)}</div>
</li>`;
}

/** The locations of a text that is shown once, with what is not the same for all of them. */
function placesOf(group: Group, { time, on, place }: Same, page: Page): string {
  const where = ({ location, city, time: own }: Entry) => {
    const zone = time === undefined ? '' : zoneNote(own, page);
    const town = city === '' || location.includes(city) ? '' : ` <span class="city">${visible(city)}</span>`;
    return `${visible(location)}${town}${zone}`;
  };
  if (time !== undefined && on !== undefined) {
    return `<ul class="places">${group.map((entry) => `<li dir="auto">${where(entry)}</li>`).join('')}</ul>\n`;
  }
  // What is the same for all stands beside the text.
  const columns = [
    (entry: Entry) => (time === undefined ? (entry.time ? clock(entry.time, page) : '') : undefined),
    (entry: Entry) => (place === undefined ? where(entry) : undefined),
    (entry: Entry) => (on === undefined ? escaped(platformsOf(entry)) : undefined),
  ];
  const rows = group.map((entry) => {
    const cells = columns.flatMap((cellOf) => cellOf(entry) ?? []);
    return `<tr>${cells.map((cell) => `<td dir="auto">${cell}</td>`).join('')}</tr>`;
  });
  const head = page.words.head.filter((_, index) => columns[index]?.(group[0]) !== undefined);
  const names = head.map((name) => `<th scope="col">${name}</th>`).join('');
  return `<table>\n<thead><tr>${names}</tr></thead>\n<tbody>\n${rows.join('\n')}\n</tbody>\n</table>\n`;
}

type Same = ReturnType<typeof sameOf>;

/** What is the same for all entries of a group: the location, the time on their clocks, and the platforms. */
function sameOf(group: Group) {
  const only = (values: readonly string[]) => (new Set(values).size === 1 ? values[0] : undefined);
  return {
    place: only(group.map(placeOf)),
    time: only(group.map(({ time }) => time?.time ?? '')),
    on: only(group.map(platformsOf)),
  };
}

const placeOf = ({ bulle_id, location }: Entry) => bulle_id || location;

const countOfPlaces = (entries: readonly Entry[]) => new Set(entries.map(placeOf).filter(Boolean)).size;

const platformsOf = ({ platforms }: Entry) => platforms.map(platformName).join(', ');

function clock(time: LocalTime, page: Page): string {
  return `${timeTag(time)}${zoneNote(time, page)}`;
}

const timeTag = ({ moment, time }: LocalTime) => `<time datetime="${moment.toISOString()}">${time}</time>`;

/** The zone of a location, if it is not that of the page. */
function zoneNote(time: LocalTime | undefined, { zone, locale }: Page): string {
  if (!time || time.zone === zone) return '';
  const words = `${zoneInWords(time.zone, time.moment, locale)} (${offsetInWords(time.offset)})`;
  return ` <span class="zone">${escaped(words)}</span>`;
}

function footer({ codes, words, approve, title }: Page): string {
  if (codes.length === 0) return '';
  const isPlaced = codes.every((code) => code.isPlaced);
  const rows = codes.map(({ name, hash }) => {
    return `<p>${codes.length > 1 ? `<b dir="auto">${escaped(name)}</b><br>` : ''}<code>${hash}</code></p>`;
  });
  const short = codes.map(({ hash }) => hash.slice(0, 8)).join(', ');
  const names = codes.length > 1 ? codes.map(({ name }) => name).join(', ') : title;
  const body = [words.body, '', ...codes.map(({ name, hash }) => `${name}: ${hash}`)].join('\r\n');
  const mail = `mailto:${encodeURIComponent(approve ?? '').replaceAll('%40', '@')}?subject=${encodeURIComponent(words.approved(names, short))}&body=${encodeURIComponent(body)}`;
  const button = approve && isPlaced ? `<p class="approve"><a href="${escaped(mail)}">${words.approve}</a></p>\n` : '';
  const sign = words.sign.map((name) => `<p>${name}</p>`).join('');
  return `<footer>
<h2>${words.plan}</h2>
${rows.join('\n')}
<p>${isPlaced ? words.placed : words.unplaced}</p>
${button}<div class="sign">${sign}</div>
</footer>
`;
}

function titled(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

function linked(address: string): string {
  const text = escaped(address);
  return /^https?:\/\//i.test(address) ? `<a href="${text}" rel="noreferrer">${text}</a>` : text;
}

function languageOf(language: string): string {
  return /^[a-z]{2,3}(-[a-z\d]+)*$/i.test(language) ? ` lang="${language}"` : '';
}

/** A text as it is published. French signs stay with the word before them, and what is invisible is marked. */
function written(text: string): string {
  return visible(text).replaceAll(/ ([!?:;»]+)/g, '<span class="n"> $1</span>');
}

function visible(text: string): string {
  return showInvisible(escaped(text), (code) => `<mark>U+${code.toUpperCase().padStart(4, '0')}</mark>`);
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
