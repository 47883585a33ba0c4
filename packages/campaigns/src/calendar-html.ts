import type { PlanStatus } from '@multilocal/plans/status';
import type { Locale } from '@multilocal/plans/words';
import { offsetInWords, platformName } from '@multilocal/plans/words';
import type { Entry, LocalTime } from './calendar-entries.js';
import { type Group, groupsOf, SLOT } from './calendar-groups.js';
import { stylesOf } from './calendar-styles.js';
import { dayInWords, labelOf, type Words, zoneInWords } from './calendar-words.js';
import { showInvisible } from './encoding.js';

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
  readonly brand?: string | undefined;
  readonly client?: string | undefined;
  readonly logo?: string | undefined;
  /** What became of the plan, for the page after it. */
  readonly status?: PlanStatus | undefined;
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
  const kinds = [...(images ? ['https:'] : []), ...(images || page.logo ? ['data:'] : [])];
  const sources = kinds.length > 0 ? `; img-src ${kinds.join(' ')}` : '';
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
${headOf(page)}<h1 dir="auto">${visible(title)}</h1>
<p class="summary">${escaped(summary(entries, days, page))}</p>
${zoneOf(dated, page)}${approval(page)}</header>
<main>
${sections.join('\n') || `<p class="summary">${words.nothing}</p>`}
</main>
${footer(page)}</body>
</html>
`;
}

/** Who the page is from and for. */
function headOf({ brand, client, logo, words }: Page): string {
  const names = [...(brand === undefined ? [] : [brand]), ...(client === undefined ? [] : [words.client(client)])];
  const image = logo === undefined ? '' : `<img class="logo" src="${escaped(logo)}" alt="${escaped(brand ?? '')}">\n`;
  return `${image}${names.length === 0 ? '' : `<p class="brand" dir="auto">${visible(names.join(' · '))}</p>\n`}`;
}

const STATES = ['online', 'done', 'failed', 'gone', 'unknown', 'publishing', 'scheduled', 'open'];

function summary(entries: readonly Entry[], days: readonly string[], { locale, words, status }: Page): string {
  const [first, last] = [days[0], days.at(-1)].map((day) => day && dayInWords(day, locale));
  const earlier = entries.filter(({ mark }) => mark).length;
  const states = STATES.flatMap((state) => {
    const { length } = (status?.actions ?? []).filter((one) => one.state === state);
    return length > 0 ? `${length} ${labelOf(words, state, length)}` : [];
  });
  return [
    words.publications(entries.length - earlier),
    ...(earlier > 0 ? [words.leftOvers(earlier)] : []),
    ...states,
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
  const items = groupsOf(entries).map((group) => item(group, page));
  return `<section>\n<h2>${escaped(heading)}</h2>\n<ol>\n${items.join('\n')}\n</ol>\n</section>`;
}

function item(group: Group, page: Page): string {
  const { members, slots } = group;
  const [{ entry: first }] = members;
  const entries = members.map(({ entry }) => entry);
  const { words, codes } = page;
  const { operation = 'posts.create', city, location, remark, plan, outcomes, mark } = first;
  const isPost = operation === 'posts.create' || operation === 'social.publish';
  const name = labelOf(words, operation);
  const isSingle = members.length === 1;
  const platforms = outcomes ? [] : entries.flatMap((entry) => entry.platforms.map(platformName));
  const pills = [...(codes.length > 1 ? [plan] : []), ...new Set(platforms), ...(isPost ? [] : [name])];
  const same = sameOf(entries);
  // The list is shorter without what all names begin with, unless the text has the names.
  const begin = slots.includes('name') ? '' : beginOf(entries.map((entry) => entry.location));
  const under = same.place === undefined ? begin.replace(/\W+$/, '') : city;
  const several = `<p class="remark">${words.several}</p>`;
  const time = isSingle
    ? first.time && clock(first.time, page)
    : first.time && (same.time === undefined ? several : timeTag(first.time));
  const note = remark === '' || outcomes ? '' : `<p class="remark">${escaped(remark)}</p>`;
  const isOver = mark === 'delete' || mark === 'adopt';
  return `<li class="entry${isOver ? ' over' : ''}">
<div class="when">${time ?? ''}${note}</div>
<div class="where">
<h3 dir="auto">${visible(same.place === undefined ? words.locations(countOfPlaces(entries)) : location || name)}</h3>
${under === '' ? '' : `<p class="city" dir="auto">${visible(under)}</p>\n`}<ul class="platforms">${pills.map((one) => `<li>${escaped(one)}</li>`).join('')}</ul>
${isSingle ? outcomesOf(first, page) : ''}</div>
<div class="what">
${whatOf(group, page)}</div>
${isSingle ? '' : placesOf(group, same, begin, page)}</li>`;
}

/** Texts, pictures and addresses of a group. */
function whatOf({ members, said, slots }: Group, { words, images }: Page): string {
  const [{ entry }] = members;
  const languages = new Set(members.map((one) => one.entry.language));
  const language = languages.size === 1 ? languageOf(entry.language) : '';
  let slot = 0;
  const withSlots = (text: string, write: (part: string) => string) => {
    const [start = '', ...rest] = text.split(SLOT);
    const named = () => `<span class="slot">${escaped(labelOf(words, slots[slot++] || '…'))}</span>`;
    return [write(start), ...rest.map((part) => `${named()}${write(part)}`)].join('');
  };
  const shown = said.texts.map(({ label, text }) => {
    const kind = label === 'review' ? 'text review' : 'text';
    const head = label === '' || label === 'review' ? '' : `<h4>${escaped(titled(labelOf(words, label)))}</h4>\n`;
    return `${head}<p class="${kind}" dir="auto"${language}>${withSlots(text, written)}</p>`;
  });
  // The review stands above its reply.
  shown.sort((a, b) => Number(b.includes('text review')) - Number(a.includes('text review')));
  const pictures = entry.images.filter((link) => images && said.links.includes(link) && isPicture(link));
  const others = said.links.filter((link) => !pictures.includes(link));
  const links = others.map((link) => `<li>${link.includes(SLOT) ? withSlots(link, escaped) : linked(link)}</li>`);
  const shownPictures = pictures.map((link) => `<img src="${escaped(link)}" alt="${escaped(link)}">`);
  return `${shownPictures.length === 0 ? '' : `<div class="pictures">${shownPictures.join('')}</div>\n`}${shown.join('\n')}
${links.length === 0 ? '' : `<ul class="links">${links.join('')}</ul>\n`}`;
}

/** What the names of many places begin with: `Fournil – `. */
function beginOf([first = '', ...others]: readonly string[]): string {
  const [begin = ''] = /^.* [–—-] /.exec(first) ?? [];
  return others.length > 1 && others.every((name) => name.startsWith(begin)) ? begin : '';
}

const isPicture = (link: string) => /^(https:\/\/|data:image\/)/i.test(link);

/** What became of an entry: a mark and the platform, which leads to the post if its address is known. */
function outcomesOf({ outcomes = [], time: planned }: Entry, { words }: Page): string {
  const shown = outcomes.map((outcome) => {
    const { platform, state, time, error, link } = outcome;
    const name = platform === '' ? labelOf(words, state) : platformName(platform);
    const late = state === 'online' && time && time.date !== planned?.date ? `${time.date} ` : '';
    const when = state === 'online' && time ? `${late}${time.time}` : platform === '' ? '' : labelOf(words, state);
    const reason = error === undefined ? '' : `${words.colon}${error}`;
    const shownName = link === undefined ? escaped(name) : linked(link, name);
    return `<li class="${state}">${shownName}${when === '' ? '' : ` ${escaped(when)}`}${visible(reason)}</li>`;
  });
  return shown.length === 0 ? '' : `<ul class="outcomes">${shown.join('')}</ul>\n`;
}

/** The locations of a text that is shown once, with what is not the same for all of them. */
function placesOf({ members, slots }: Group, { time, on, place }: Same, begin: string, page: Page): string {
  const items = members.map(({ entry, words }) => {
    const { location, city } = entry;
    const when = time === undefined && entry.time ? clock(entry.time, page) : zoneNote(entry.time, page);
    const hasCity = city !== '' && (slots.includes('city') || !location.includes(city));
    const values = words.filter((_, slot) => slots[slot] !== 'name' && slots[slot] !== 'city');
    const platforms = on === undefined && !entry.outcomes ? [platformsOf(entry)] : [];
    const notes = [...(hasCity && place === undefined ? [city] : []), ...new Set(values), ...platforms];
    const shown = notes.map((note) => ` <span class="city">${visible(note)}</span>`).join('');
    const name = place === undefined ? visible(location.slice(begin.length)) : '';
    const parts = time === undefined ? [when, ' ', name, shown] : [name, shown, when];
    return `<li dir="auto">${parts.join('').trim()}${outcomesOf(entry, page)}</li>`;
  });
  return `<ul class="places">${items.join('')}</ul>\n`;
}

type Same = ReturnType<typeof sameOf>;

/** What is the same for all entries of a group: the location, the time on their clocks, and the platforms. */
function sameOf(group: readonly Entry[]) {
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

/** The button that writes a mail with the hashes. What is carried out needs no approval. */
function approval({ codes, words, approve, title, status }: Page): string {
  if (!approve || status || !codes.every((code) => code.isPlaced)) return '';
  const short = codes.map(({ hash }) => hash.slice(0, 8)).join(', ');
  const names = codes.length > 1 ? codes.map(({ name }) => name).join(', ') : title;
  const body = [words.body, '', ...codes.map(({ name, hash }) => `${name}${words.colon}${hash}`)].join('\r\n');
  const mail = `mailto:${encodeURIComponent(approve).replaceAll('%40', '@')}?subject=${encodeURIComponent(words.approved(names, short))}&body=${encodeURIComponent(body)}`;
  return `<p class="approve"><a href="${escaped(mail)}">${words.approve}</a></p>\n`;
}

function footer(page: Page): string {
  const { codes, words, status } = page;
  if (codes.length === 0) return '';
  const isPlaced = codes.every((code) => code.isPlaced);
  const rows = codes.map(({ name, hash }) => {
    return `<p>${codes.length > 1 ? `<b dir="auto">${escaped(name)}</b><br>` : ''}<code>${hash}</code></p>`;
  });
  const sign = words.sign.map((name) => `<p>${name}</p>`).join('');
  return `<footer>
<h2>${words.plan}</h2>
${rows.join('\n')}
<p>${isPlaced ? words.placed : words.unplaced}</p>
${approval(page)}${status ? '' : `<div class="sign">${sign}</div>\n`}</footer>
`;
}

function titled(name: string): string {
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

function linked(address: string, text = address): string {
  return /^https?:\/\//i.test(address)
    ? `<a href="${escaped(address)}" rel="noreferrer">${escaped(text)}</a>`
    : escaped(text);
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
