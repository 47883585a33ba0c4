import type { Entry, LocalTime } from './calendar-entries.js';
import { stylesOf } from './calendar-styles.js';

/** Writes a calendar as one HTML file, which loads nothing. Days and hours are those of each location. */
const PLACED =
  'This code stands for exactly these publications. If a text, a date or a location changes, the code changes.';
const UNPLACED =
  'This code stands for these texts and dates. Some actions name no location: approve the code that a rehearsal with your key shows.';

export function toHtml(entries: readonly Entry[], hash: string, title: string, isPlaced: boolean): string {
  const dated = entries.filter(({ time }) => time);
  const others = entries.filter(({ time }) => !time);
  const days = [...new Set(dated.map(({ time }) => time?.date ?? ''))].sort();
  const sections = days.map((day) =>
    section(
      dayInWords(day),
      dated.filter(({ time }) => time?.date === day),
    ),
  );
  if (others.length > 0) sections.push(section('Without a fixed date', others));
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escaped(title)}</title>
<style>${stylesOf(hash)}</style>
</head>
<body>
<header>
<h1 dir="auto">${escaped(title)}</h1>
<p class="summary">${escaped(summary(entries, days))}</p>
</header>
<main>
${sections.join('\n') || '<p class="summary">Nothing is planned.</p>'}
</main>
${hash === '' ? '' : `<footer>\n<h2>Plan</h2>\n<p><code>${hash}</code></p>\n<p>${isPlaced ? PLACED : UNPLACED}</p>\n</footer>\n`}</body>
</html>
`;
}

function section(heading: string, entries: readonly Entry[]): string {
  return `<section>\n<h2>${escaped(heading)}</h2>\n<ol>\n${entries.map(item).join('\n')}\n</ol>\n</section>`;
}

function item({
  time,
  remark,
  operation = 'posts.create',
  location,
  city,
  language,
  platforms,
  texts,
  links,
}: Entry): string {
  const words = texts.map(({ label, text }) => {
    return `${label === '' ? '' : `<h4>${escaped(named(label))}</h4>\n`}<p class="text" dir="auto"${languageOf(language)}>${escaped(text)}</p>`;
  });
  const addresses = links.map((link) => `<li>${linked(link)}</li>`).join('');
  const isPost = operation === 'posts.create' || operation === 'social.publish';
  return `<li class="entry">
<div class="when">${time ? clock(time) : ''}${remark === '' ? '' : `<p class="remark">${escaped(remark)}</p>`}</div>
<div class="where">
<h3 dir="auto">${escaped(location || operation)}</h3>
${city === '' ? '' : `<p class="city" dir="auto">${escaped(city)}</p>\n`}<ul class="platforms">${platforms.map((one) => `<li>${escaped(named(one))}</li>`).join('')}${isPost ? '' : `<li>${escaped(operation)}</li>`}</ul>
</div>
<div class="what">
${words.join('\n')}
${addresses === '' ? '' : `<ul class="links">${addresses}</ul>\n`}</div>
</li>`;
}

function clock({ moment, time, zone, offset }: LocalTime): string {
  return `<time datetime="${moment.toISOString()}">${time}</time><p class="zone">${escaped(zone.replaceAll('_', ' '))}<br>UTC${offset}</p>`;
}

function summary(entries: readonly Entry[], days: readonly string[]): string {
  const locations = new Set(entries.map(({ bulle_id }) => bulle_id).filter(Boolean)).size;
  const [first, last] = [days[0], days.at(-1)];
  return [
    counted(entries.length, 'publication'),
    counted(locations, 'location'),
    ...(first && last ? [first === last ? dayInWords(first) : `${dayInWords(first)} to ${dayInWords(last)}`] : []),
  ].join(' · ');
}

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

const DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
});

/** `Thursday 24 December 2026`. Runtimes put a comma there or not. */
function dayInWords(day: string): string {
  return DAY.format(new Date(`${day}T00:00Z`)).replace(',', '');
}

const NAMES: ReadonlyMap<string, string> = new Map([
  ['gmb', 'Google'],
  ['linkedin', 'LinkedIn'],
  ['tiktok', 'TikTok'],
  ['youtube', 'YouTube'],
]);

function named(platform: string): string {
  return NAMES.get(platform) ?? `${platform.slice(0, 1).toUpperCase()}${platform.slice(1).replaceAll('_', ' ')}`;
}

function linked(address: string): string {
  const text = escaped(address);
  return /^https?:\/\//i.test(address) ? `<a href="${text}" rel="noreferrer">${text}</a>` : text;
}

function languageOf(language: string): string {
  return /^[a-z]{2,3}(-[a-z\d]+)*$/i.test(language) ? ` lang="${language}"` : '';
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
