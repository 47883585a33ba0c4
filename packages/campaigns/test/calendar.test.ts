import { hashOfPlan, linesOf } from '@multilocal/plans/hash';
import { postOf } from '@multilocal/plans/test/posts';
import { LOCALES } from '@multilocal/plans/words';
import ICAL from 'ical.js';
import { type Bulle, InvalidRequestError, type Post } from 'multilocal';
import Papa from 'papaparse';
import { parse } from 'parse5';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type CalendarOptions, calendarOf, type Plan } from '../src/index.js';

const LOCATIONS: Bulle[] = [
  { id: 'bul_lyon', name: 'Fournil Lyon', city: 'Lyon', language: 'fr' },
  { id: 'bul_denis', name: 'Fournil Saint-Denis', city: null },
];
const OPTIONS = { zone: 'Europe/Paris', zones: { bul_denis: 'Indian/Reunion' }, locations: LOCATIONS } as const;
const TEXT = 'Fermé à 16 h ;\nbonnes fêtes, à “lundi” \\o/ 🎄';

const create = (params: object = {}) => ({
  operation: 'posts.create',
  params: {
    bulle_id: 'bul_lyon',
    platforms: ['facebook'],
    content: TEXT,
    scheduled_at: '2026-12-24T09:00:00+01:00',
    ...params,
  },
});
const planOf = (...actions: object[]) => ({ actions }) as unknown as Plan;
const PLAN = planOf(
  create({ image_urls: ['https://images.test/a.jpg', 'https://images.test/b.jpg'] }),
  { operation: 'reviews.reply', params: { review_id: 'rev_1', text: 'Merci !' } },
  create({ bulle_id: 'bul_denis', platforms: ['gmb'], scheduled_at: '2026-12-24T23:30:00Z' }),
  create({ scheduled_at: undefined }),
);

const calendar = (format: CalendarOptions['format'], source: Plan | Post[] = PLAN, more: object = {}) =>
  calendarOf(source, { ...OPTIONS, format, ...more });

const rowsOf = (source?: Plan | Post[], more?: object) =>
  Papa.parse<Record<string, string>>(calendar('csv', source, more).replace(/^\ufeff/, ''), {
    header: true,
    skipEmptyLines: true,
  }).data;

const componentsOf = (source?: Plan | Post[], more?: object) => {
  const root = new ICAL.Component(ICAL.parse(calendar('ics', source, more)));
  return { root, events: root.getAllSubcomponents('vevent'), tasks: root.getAllSubcomponents('vtodo') };
};

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));

it('reads no clock', () => {
  for (const format of ['html', 'ics', 'csv'] as const) {
    vi.setSystemTime('2026-01-01T00:00:00Z');
    const before = calendar(format);
    vi.setSystemTime('2027-06-01T00:00:00Z');
    expect(calendar(format)).toBe(before);
  }
});

it.each([
  ['html', 'en'],
  ['html', 'fr'],
  ['csv', 'en'],
  ['csv', 'fr'],
  ['ics', 'en'],
] as const)('shows a plan of two days whole: %s, %s', async (format, locale) => {
  const listing = 'accounts/1/locations/2';
  const contact = { customer_name: 'Ada', channel: 'sms', customer_phone: '06' };
  const first = { content: 'Ouvert !', platforms: ['facebook', 'gmb', 'instagram'], video_url: 'https://x.test/v.mp4' };
  const plan = {
    name: 'noel',
    actions: planOf(
      {
        operation: 'posts.create',
        params: {
          // Its main text comes first, wherever it stands.
          content_per_platform: { gmb: { summary: 'Sur Google' } },
          ...{ bulle_id: 'bul_lyon', ...first, scheduled_at: '2026-12-24T09:00:00+01:00' },
          ...{ scheduled_gmb: '2026-12-25T08:30:00+01:00', scheduled_instagram: '2026-12-25T07:30:00Z' },
          image_urls: ['https://x.test/a.jpg', 'https://x.test/b.jpg'],
        },
      },
      create({ bulle_id: 'bul_denis', content: 'Fermé', scheduled_at: '2026-12-24T23:30:00Z' }),
      create({ bulle_id: 'bul_denis', content: 'Partout' }),
      create({ content: 'Partout' }),
      create({ scheduled_at: undefined }),
      { operation: 'articles.create', params: { title: 'Le seigle', target_keyword: 'seigle', bulle_id: 'bul_denis' } },
      { operation: 'reviews.reply', params: { review_id: `${listing}/reviews/a`, text: 'Désolés !' } },
      { operation: 'reviews.reply', params: { review_id: 'b', fiche_id: listing, text: 'Merci !' } },
      { operation: 'acquisition.requestReviews', params: { fiche_id: listing, contacts: [contact, contact] } },
      { operation: 'images.upload', params: { image_base64: 'AAAA' } },
      { operation: 'gmb.optimizer.apply', params: { changes: [{ field: 'description', value: 'Bio' }] } },
    ).actions.map((action, index) => ({ ...action, key: `noel/${index + 1}` })),
  } as Plan;
  const reviews = [
    { review_id: `${listing}/reviews/a`, rating: 1, customer_name: 'Mehdi R.', text: 'Oubliée', responded: false },
  ];
  const listings = [{ id: listing, name: 'Fiche Lyon', address: '', service_area: false }];
  const text = calendar(format, plan, { locale, reviews, listings, title: 'Noël' });
  // The styles are not what it says, and every hash stands for the same plan.
  const shown = text
    .replace(/(<style>).*(?=<\/style>)/s, '$1')
    .replaceAll('\r\n ', '')
    .replaceAll('\r\n', '\n');
  const path = `./snapshots/calendar.${locale}.${format}`;
  await expect(shown.replaceAll(hashOfPlan(plan), 'HASH')).toMatchFileSnapshot(path);
});

describe('the table (CSV)', () => {
  it.each(['=1+1', '+33 6', '-20 %', '@home', ' "=1"', '＝1', '|calc', "=cmd|' /C calc'!A0"])(
    'has no formula in %j',
    (content) => {
      const [{ text = '' } = {}] = rowsOf(planOf(create({ content })));
      expect(text).toBe(`'${content}`);
    },
  );

  it('has all that an action says, of a plan without a name too', () => {
    const content = 'a";"b\nc;2,"';
    const links = { image_url: 'https://x.test/a.jpg', video_url: 'https://x.test/v.mp4' };
    const [dated, atOnce] = [create({ content, ...links }), create({ publish_now: true, scheduled_at: undefined })];
    const plan = planOf(dated, atOnce);
    const row = {
      ...{ date: '2026-12-24', time: '09:00', zone: 'Europe/Paris', utc: '2026-12-24T08:00:00.000Z' },
      ...{ bulle_id: 'bul_lyon', location: 'Fournil Lyon', city: 'Lyon', platforms: 'facebook', text: content },
      links: 'https://x.test/a.jpg https://x.test/v.mp4',
      ...{ operation: 'posts.create', remark: '', plan: '', hash: hashOfPlan(plan) },
    };
    const undated = { date: '', time: '', zone: '', utc: '', remark: 'When the plan is carried out' };
    expect(rowsOf(plan)).toEqual([row, { ...row, ...undated, text: TEXT, links: '' }]);
  });

  it('has the entries of a moment in the order of their locations', () => {
    const denis = create({ bulle_id: 'bul_denis', content: 'Fermé' });
    const rows = rowsOf(planOf(denis, create({ content: 'Un' }), denis, create({ content: 'Deux' })));
    expect(rows.map(({ text }) => text)).toEqual(['Un', 'Deux', 'Fermé', 'Fermé']);
  });

  it.each([',', ';', '\t', '|'])('has no formula for a program that separates cells with %j', (delimiter) => {
    const content = '\t=1\n\t+2 Promo;=HYPERLINK("x")\n=1+1, =2\t@marie|-3;\u00a0+4\n\n %5';
    for (const separator of [',', ';', '\t'] as const) {
      const text = calendar('csv', planOf(create({ content })), { separator }).replace(/^\ufeff/, '');
      // To a program with another separator, quotation marks within a cell are text.
      const quoteChar = delimiter === separator ? '"' : '\u0000';
      const cells = Papa.parse<string[]>(text, { delimiter, quoteChar }).data.flat();
      expect(cells.filter((cell) => /^[\s"]*[=+\-@%]/.test(cell))).toEqual([]);
    }
  });
});

describe('the calendar file (ICS)', () => {
  it('has an event for each moment and a task for what has none, read by another parser', () => {
    const { root, events, tasks } = componentsOf(PLAN, { title: 'Noël 2026' });
    expect(root.getFirstPropertyValue('x-wr-calname')).toBe('Noël 2026');
    const shown = events
      .map((one) => new ICAL.Event(one))
      .map(({ startDate, endDate, summary, location }) => {
        return [startDate.toJSDate().toISOString(), endDate.toJSDate().toISOString(), summary, location];
      });
    expect(shown).toEqual([
      ['2026-12-24T08:00:00.000Z', '2026-12-24T08:15:00.000Z', 'Fournil Lyon: facebook', 'Fournil Lyon, Lyon'],
      ['2026-12-24T23:30:00.000Z', '2026-12-24T23:45:00.000Z', 'Fournil Saint-Denis: gmb', 'Fournil Saint-Denis'],
    ]);
    expect(tasks.map((one) => one.getFirstPropertyValue('summary'))).toEqual([
      'Reply to a review',
      'Fournil Lyon: facebook',
    ]);
  });

  it('has lines of at most 75 octets that end in CR LF, and breaks no character', () => {
    const content = '🎄é'.repeat(200);
    const text = calendar('ics', planOf(create({ content })));
    const lines = text.split('\r\n');
    expect(lines.pop()).toBe('');
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBe(75);
    expect(lines.join('')).not.toMatch(/[\r\n]/);
    expect(componentsOf(planOf(create({ content }))).events[0]?.getFirstPropertyValue('description')).toContain(
      content,
    );
  });

  it('has no line of its own for a text', () => {
    const content = 'x\r\nEND:VEVENT\r\nBEGIN:VEVENT\rATTACH:https://evil.test';
    const plan = planOf(create({ content, platforms: [content] }), { operation: content });
    const { root, events, tasks } = componentsOf(plan, { title: content });
    const attached = [root, ...events, ...tasks].map((one) => one.getFirstProperty('attach'));
    expect(attached).toEqual([null, null, null]);
  });

  const idsOf = (plan: Plan) => componentsOf(plan).events.map((event) => event.getFirstPropertyValue('uid'));

  it('has a name for each event that begins with the key, whatever is corrected', () => {
    const two = { platforms: ['facebook', 'gmb'], scheduled_gmb: '2026-12-25T09:00:00Z' };
    const corrected = { ...two, content: 'x', scheduled_gmb: '2026-12-26T09:00:00Z' };
    const before = idsOf(planOf({ key: 'noel/bul_lyon', ...create(two) }));
    expect(before).toEqual(['noel/bul_lyon@multilocal', 'noel/bul_lyon@2.multilocal']);
    expect(idsOf(planOf({ key: 'noel/bul_lyon', ...create(corrected) }))).toEqual(before);
  });

  it('has names of their own for equal actions without keys', () => {
    expect(new Set(idsOf(planOf(create(), create()))).size).toBe(2);
  });

  it('dates a plan when it was made, a post at its last change, and what is unknown at the beginning of time', () => {
    const stamps = (source?: Post[], more?: object) =>
      componentsOf(source, more).events.map((event) =>
        ['dtstamp', 'sequence'].map((name) => `${event.getFirstPropertyValue(name)}`).join(' '),
      );
    expect(stamps()).toEqual(Array(2).fill('1970-01-01T00:00:00Z null'));
    expect(stamps(undefined, { madeAt: '2026-11-20T10:00:00+01:00' })).toEqual(
      Array(2).fill('2026-11-20T09:00:00Z 29919420'),
    );
    expect(stamps([postOf({ updated_at: '2026-11-20T10:00:00+01:00' })])).toEqual(['2026-11-20T09:00:00Z 29919420']);
  });
});

describe('the page (HTML)', () => {
  const shown = (html: string) =>
    html
      .replace(/<style>.*<\/style>/s, '')
      .replaceAll(/<span class="n">(.*?)<\/span>/g, '$1')
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/[^\S\n]+/g, ' ');

  it('loads nothing', () => {
    const html = calendar('html');
    expect(html).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    expect(html).not.toMatch(/<(img|script|link|iframe)\b|url\(|@import/);
  });

  it('shows markup as text, wherever it stands', () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`;
    const addresses = { image_url: `https://x.test/${evil}`, gmb_fiche_id: evil };
    const wrong = { operation: evil, params: { [evil]: evil } };
    const plan = planOf(create({ bulle_id: evil, platforms: [evil], content: evil, ...addresses }), wrong);
    const locations = [{ id: evil, name: evil, city: evil, language: `fr" onclick="x` }];
    const html = calendarOf(plan, { format: 'html', zone: 'UTC', locations, title: `</title>${evil}` });
    const names = new Set<string>();
    type Node = { nodeName?: string; attrs?: { name: string }[]; childNodes?: Node[] };
    const walk = ({ nodeName = '', attrs = [], childNodes = [] }: Node) => {
      names.add(nodeName);
      for (const { name } of attrs) names.add(`@${name}`);
      for (const child of childNodes) walk(child);
    };
    walk(parse(html) as Node);
    expect([...names].filter((name) => /script|img|@on|@src/.test(name))).toEqual([]);
    expect(names).toContain('@href');
  });

  it('shows a text once, with its locations and what is not the same for them', () => {
    const listOf = (...actions: object[]) => {
      const html = shown(calendar('html', planOf(...actions))).replaceAll(/\s+/g, ' ');
      expect(html.split('bonnes fêtes').length - 1).toBe(1);
      return / 20\d\d (?=\S+ \S)(\d.*|Several.*) Plan/
        .exec(html.replace(/.*Europe\/Paris\)/, ''))?.[1]
        ?.replace(/Fermé.*🎄/, '…');
    };
    const denis = { bulle_id: 'bul_denis', scheduled_at: '2026-12-24T09:00:00+04:00' };
    expect(listOf(create(), create({ ...denis, platforms: ['gmb'] }))).toBe(
      '09:00 2 locations Google Facebook … Fournil Saint-Denis Google Réunion Time (UTC+4) Fournil Lyon Facebook',
    );
    expect(listOf(create(), create(denis))).toBe(
      '09:00 2 locations Facebook … Fournil Saint-Denis Réunion Time (UTC+4) Fournil Lyon',
    );
    expect(listOf(create(), create({ scheduled_at: '2026-12-24T17:00:00+01:00' }))).toBe(
      'Several times Fournil Lyon Lyon Facebook … 09:00 17:00',
    );
  });

  describe('shows a text once although it has words of each location', () => {
    const places = [
      { id: 'bul_a', name: 'Fournil – Lyon Croix-Rousse', city: 'Lyon', phone: '04 78' },
      { id: 'bul_b', name: 'Fournil – Lyon (Gare)', city: 'Lyon', phone: '04 79' },
      { id: 'bul_c', name: 'Fournil – Nice', city: 'Nice', phone: '04 93' },
    ];
    const pageOf = (texts: readonly string[], more: object = {}) => {
      const actions = texts.map((content, index) => create({ content, bulle_id: places[index]?.id, ...more }));
      return calendar('html', planOf(...actions), { locations: places });
    };
    const groupsIn = (html: string) =>
      [...html.matchAll(/<p class="text"[^>]*>(.*?)<\/p>(.*?)<\/li>\n?(<li class="entry|<\/ol>)/gs)].map(
        ([, text = '', list = '']) =>
          [text, list].map((part) =>
            shown(part.replaceAll(/<span class="slot">(.*?)<\/span>/g, '{$1}'))
              .replaceAll(/\s+/g, ' ')
              .trim(),
          ),
      );

    it.each<[string, string[], string[][]]>([
      [
        'the city, which is the same for two',
        ['Lyon : ouvert à Lyon.', 'Lyon : ouvert à Lyon.', 'Nice : ouvert à Nice.'],
        [['{city} : ouvert à {city}.', 'Lyon (Gare) Lyon Lyon Croix-Rousse Lyon Nice Nice']],
      ],
      [
        'the name, which stands whole in the list then',
        places.map(({ name }) => `Chez ${name} !`),
        [['Chez {location} !', 'Fournil – Lyon (Gare) Fournil – Lyon Croix-Rousse Fournil – Nice']],
      ],
      [
        'another field, and the id',
        places.map(({ id, phone }) => `Tél. ${phone}, ${id}`),
        [['Tél. {phone}, {bulle_id}', 'Lyon (Gare) 04 79 bul_b Lyon Croix-Rousse 04 78 bul_a Nice 04 93 bul_c']],
      ],
      [
        'the name of a city by chance, which all others have too',
        ['Salade de Nice', 'Salade de Nice', 'Salade de Nice'],
        [['Salade de Nice', 'Lyon (Gare) Lyon Croix-Rousse Nice']],
      ],
      [
        'something else, so that it stands alone',
        ['À Lyon', 'À Lyonnais', 'À Nice'],
        [
          ['À Lyonnais', ''],
          ['À {city}', 'Fournil – Lyon Croix-Rousse Lyon Fournil – Nice Nice'],
        ],
      ],
    ])('%s', (_, texts, expected) => {
      expect(groupsIn(pageOf(texts))).toEqual(expected);
    });

    it('in addresses too, and shows pictures only where they are the same', () => {
      const address = (id: string) => `https://x.test/${id}.png`;
      const actions = places.map(({ id }) => create({ bulle_id: id, image_url: address(id) }));
      const html = calendar('html', planOf(...actions), { locations: places, images: true });
      expect(html).toContain('<li>https://x.test/<span class="slot">bulle_id</span>.png</li>');
      expect(html).not.toContain('<img');
    });
  });

  it('says who it is from and for, with a picture that is part of it', () => {
    const logo = 'data:image/png;base64,iVBORw0KGgo=';
    const html = calendar('html', PLAN, { brand: 'Fournil <A>', client: 'Léa', logo });
    expect(html).toContain(
      `<img class="logo" src="${logo}" alt="Fournil &lt;A&gt;">\n<p class="brand" dir="auto">Fournil &lt;A&gt; · For Léa</p>`,
    );
    expect(html).toContain("style-src 'unsafe-inline'; img-src data:\"");
  });

  it.each(LOCALES)('is approved by mail, and has pictures of https on request: %s', async (locale) => {
    const image_urls = ['https://x.test/a.jpg', 'http://x.test/b.jpg', 'https://x.test/c.jpg'];
    const plan = planOf(create({ image_urls, video_url: 'https://x.test/v.mp4' }));
    const options = { locale, approve: 'lea+ok@agence.test', images: true };
    const html = calendar('html', plan, options).replace(/(<style>).*(?=<\/style>)/s, '$1');
    expect(html).toMatch(/"mailto:lea%2Bok@agence\.test\?subject=[\w%'().-]+&amp;body=[\w%'().-]+"/);
    const hash = hashOfPlan(plan);
    const said = decodeURIComponent(html).replaceAll(hash, 'HASH').replaceAll(hash.slice(0, 8), 'SHORT');
    await expect(said.replaceAll('\r\n', '\n')).toMatchFileSnapshot(`./snapshots/approval.${locale}.html`);
    // The hash of a rehearsal may be another one.
    expect(calendar('html', PLAN, options)).not.toContain('mailto:');
  });

  it('shows several plans, each with its hash', () => {
    const plans = [
      { name: 'noel', ...planOf(create()) },
      { name: 'galette', ...planOf({ ...create({ content: 'Galette' }), operation: 'social.publish' }) },
    ];
    const html = calendarOf(plans, { ...OPTIONS, format: 'html' });
    const text = shown(html);
    for (const plan of plans) expect(text).toContain(plan.name);
    const codes = plans.map((plan) => `<p><b dir="auto">${plan.name}</b><br><code>${hashOfPlan(plan)}</code></p>`);
    expect(html).toContain(`<h2>Plan</h2>\n${codes.join('\n')}\n`);
    const pills = [...html.matchAll(/<ul class="platforms">(.*)<\/ul>/g)].map(([, list]) => list);
    expect(pills).toEqual(['<li>noel</li><li>Facebook</li>', '<li>galette</li><li>Facebook</li>']);
    const [noel] = plans;
    const ics = calendarOf([noel as Plan, planOf(create())], { ...OPTIONS, format: 'ics' });
    expect(ics).toContain('X-WR-CALNAME:noel\r\n');
    const expected = plans.map((plan) => [plan.name, hashOfPlan(plan)]);
    expect(rowsOf(plans as never).map(({ plan, hash }) => [plan, hash])).toEqual(expected);
  });

  it('marks what nobody could see', () => {
    const html = calendar('html', planOf(create({ content: 'a\u200bb\u202ec 👩\u200d🍳 \u00e0\u00a0Dijon !' })));
    const marked = 'a<mark>U+200B</mark>b<mark>U+202E</mark>c 👩\u200d🍳 à\u00a0Dijon<span class="n"> !</span>';
    expect(html).toContain(marked);
  });

  it('links only to web addresses', () => {
    const urls = { image_url: 'javascript:alert(1)', video_url: 'https://x.test/v.mp4' };
    const html = calendar('html', planOf(create(urls)));
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, address]) => address)).toEqual(['https://x.test/v.mp4']);
    expect(shown(html)).toContain('javascript:alert(1)');
  });

  it('names the language of a location, if it is one', () => {
    const known = ['fr', 'fr-CA', 'zh-Hant-419'];
    const found = [...known, '1fr', 'français', 'fr_FR', 'fr-', ''].flatMap((language) => {
      const locations = [{ id: 'bul_lyon', language }];
      const html = calendar('html', planOf(create()), { locations });
      return /<p class="text" dir="auto" lang="(.*?)"/.exec(html)?.[1] ?? [];
    });
    expect(found).toEqual(known);
  });

  it('says that nothing is planned', () => {
    const text = shown(calendar('html', [])).replaceAll(/\s+/g, ' ').trim();
    expect(text).toBe('Publications Publications 0 publications · 0 locations Nothing is planned.');
    expect(shown(calendar('html', [], { locale: 'fr' }))).toMatch(/0 publication · 0 lieu\s+Rien n’est prévu\./);
  });
});

describe('an action', () => {
  it.each([
    ['a Date', new Date('2026-12-24T08:00:00Z')],
    ['a string of Temporal', '2026-12-24T09:00:00+01:00[Europe/Paris]'],
  ])('may have its moment as %s', (_, scheduled_at) => {
    expect(rowsOf(planOf(create({ scheduled_at })))[0]).toMatchObject({ date: '2026-12-24', time: '09:00' });
  });

  it('shows a sign instead of what no calendar can hold', () => {
    const content = 'a\u0000b\u001bc\ud800d\r\ne';
    expect(rowsOf(planOf(create({ content })))[0]?.text).toBe('a\ufffdb\ufffdc\ufffdd\ne');
  });
});

describe('posts of an earlier version of the plan', () => {
  const at = (scheduled_facebook: string, content = 'Avant') => postOf({ content, scheduled_facebook });
  const key = 'noel/new';
  const same = create({ content: 'Pareil', scheduled_at: '2026-12-24T10:30:00+01:00' });
  const actions = [
    { key, ...create({ content: 'Après' }) },
    { key: 'noel/same', ...same },
  ];
  const plan = { name: 'noel', actions } as Plan;
  const left = (name: string, more: object) => ({ key: `noel/${name}`, ids: [1], summary: 'A post', ...more });
  const leftOvers = [
    left('deleted', { posts: [at('2026-12-24T07:00:00Z')] }),
    left('moved', { replacedBy: key, posts: [at('2026-12-23T10:00:00Z', 'Après')] }),
    left('renamed', { replacedBy: 'noel/same', posts: [at('2026-12-24T09:30:00Z', 'Pareil')] }),
    left('kept', { step: 'keep', posts: [at('2026-12-24T09:00:00Z')] }),
    left('unseen', {}),
  ];

  it('stand where they would appear, with what becomes of them', () => {
    const shown = rowsOf(plan, { leftOvers }).map(({ date, time, text, operation, remark }) =>
      [date, time, text, operation, remark].join('|'),
    );
    expect(shown).toEqual([
      '2026-12-23|11:00|Après|posts.update|Moved or changed. Instead of it: Thursday 24 December 2026, 09:00',
      '2026-12-24|08:00|Avant|posts.delete|Deleted: it does not appear',
      '2026-12-24|09:00|Après|posts.create|Instead of the publication of Wednesday 23 December 2026, 11:00',
      '2026-12-24|10:00|Avant|posts.create|Stays, beside the plan',
      '2026-12-24|10:30|Pareil|posts.create|',
      '||A post|posts.delete|Deleted: it does not appear',
    ]);
    const html = calendar('html', plan, { leftOvers, locale: 'fr' });
    expect(html).toContain('2 publications · 4 d’une version précédente · 1 lieu');
    expect(html.match(/class="entry over"/g)).toHaveLength(3);
  });

  it('are cancelled in calendar programs, whose entries have the old keys', () => {
    const cancelled = componentsOf(plan, { leftOvers }).events.filter(
      (one) => one.getFirstPropertyValue('status') === 'CANCELLED',
    );
    expect(cancelled.map((one) => one.getFirstPropertyValue('uid')).sort()).toEqual(
      ['deleted', 'moved', 'renamed'].map((name) => `noel/${name}@multilocal`),
    );
  });

  it('are part of the hash, if something becomes of them', () => {
    const hashed = (some: readonly object[]) => rowsOf(plan, { leftOvers: some })[0]?.hash;
    expect(hashed(leftOvers)).toBe(hashOfPlan(plan, linesOf(leftOvers)));
    expect(hashed(leftOvers.slice(3, 4))).toBe(hashOfPlan(plan));
  });
});

it('shows what became of a plan: where it is online since when, and why it failed', () => {
  const platforms = ['facebook', 'gmb'];
  const plan = planOf(
    create({ platforms }),
    create({ platforms, bulle_id: 'bul_denis', scheduled_at: '2026-12-24T09:00:00+04:00' }),
    create({ scheduled_at: undefined, platforms: [] }),
  );
  const online = { state: 'online', at: '2026-12-24T08:01:00Z', link: 'https://x.test/1' };
  const failed = { state: 'failed', at: '2026-12-24T05:00:00Z', error: 'Jeton <expiré>' };
  const actions = [
    { state: 'online', platforms: { facebook: online, gmb: { state: 'online', at: '2026-12-25T08:01:00Z' } } },
    {
      state: 'failed',
      platforms: { facebook: { ...online, at: '2026-12-24T05:00:00Z', link: undefined }, gmb: failed },
    },
    { state: 'open' },
  ].map((one, index) => ({ key: `${index}`, operation: 'posts.create', ids: [index], ...one }));
  const html = calendar('html', plan, { status: { actions }, locale: 'fr', approve: 'lea@agence.test' });
  const lists = [...html.matchAll(/<ul class="outcomes">(.*?)<\/ul>/g)].map(([, list]) => list);
  expect(lists).toEqual([
    '<li class="online">Facebook 09:00</li><li class="failed">Google en échec : Jeton &lt;expiré&gt;</li>',
    '<li class="online"><a href="https://x.test/1" rel="noreferrer">Facebook</a> 09:01</li><li class="online">Google 2026-12-25 09:01</li>',
    '<li class="open">à exécuter</li>',
  ]);
  expect(html).toContain('3 publications · 1 en ligne · 1 en échec · 1 à exécuter · 2 lieux');
  expect(html).not.toMatch(/mailto:|class="sign"/);
  expect(rowsOf(plan, { status: { actions } })[0]?.remark).toBe(
    'Facebook: online, 2026-12-24 09:00. Google: failed, Jeton <expiré>',
  );
});

describe('posts of the service', () => {
  const scheduled = (facebook: string | null, gmb: string | null = null) => {
    return { scheduled_facebook: facebook, scheduled_gmb: gmb };
  };
  const both = { platforms: ['facebook', 'gmb'], ...scheduled('2026-12-24T08:00:00', '2026-12-24T09:00:00Z') };
  const online = { status: 'published', published_facebook: '2026-12-20T08:01:00Z' };
  const failed = { platforms: ['facebook', 'gmb'], published_facebook: online.published_facebook, error_gmb: 'x' };
  const due = scheduled(null, '2026-12-20T08:01:00Z');
  const posts = [
    postOf({ id: 2, bulle_id: 'bul_denis', platforms: ['gmb'], ...scheduled(null, '2026-12-24T20:30:00Z') }),
    postOf({ id: 1, ...both }),
    postOf({ id: 3, ...online, ...scheduled('2026-12-20T08:00:00Z') }),
    postOf({ id: 4, ...scheduled(null) }),
  ];

  it('stand at the moments of their platforms, those that were published at the real one', () => {
    const shown = rowsOf(posts).map(({ date, time, bulle_id, platforms, remark, plan, hash }) =>
      [date, time, bulle_id, platforms, remark, `${plan}${hash}`].join(' '),
    );
    expect(shown).toEqual([
      '2026-12-20 09:01 bul_lyon facebook published ',
      '2026-12-24 09:00 bul_lyon facebook pending ',
      '2026-12-24 10:00 bul_lyon gmb pending ',
      '2026-12-25 00:30 bul_denis gmb pending ',
      '  bul_lyon facebook pending, without a date ',
    ]);
    const french = rowsOf([...posts, postOf({ id: 5, status: 'error' })], { locale: 'fr', separator: ',' }).map(
      ({ remarque }) => remarque,
    );
    const pending = ['en attente', 'en échec', 'en attente', 'en attente'];
    expect(french).toEqual(['publié', ...pending, 'en attente, sans date']);
  });

  it.each([
    ['published', failed, 'facebook published', 'gmb error'],
    ['error', failed, 'facebook published', 'gmb error'],
    ['error', { ...failed, published_facebook: null }, 'gmb error', 'facebook pending, without a date'],
    ['error', { ...failed, error_gmb: null }, 'facebook published', 'gmb error'],
  ])('have the status of each platform: %s', (status, fields, ...expected) => {
    const rows = rowsOf([postOf({ status, ...due, ...fields })]);
    expect(rows.map(({ platforms, remark }) => `${platforms} ${remark}`)).toEqual(expected);
  });

  it('have names in the calendar file', () => {
    const ids = componentsOf(posts).events.map((event) => event.getFirstPropertyValue('uid'));
    expect(ids).toEqual(['3-facebook', '1-facebook', '1-gmb', '2-gmb'].map((name) => `post-${name}@multilocal`));
  });

  it('have no hash', () => {
    expect(calendar('html', posts)).not.toContain('<footer>');
    expect(calendar('ics', posts)).not.toMatch(/HASH|Plan/);
  });
});

describe('wrong input is refused', () => {
  it.each<[string, unknown, object, string]>([
    ['an unknown format', PLAN, { format: 'pdf' }, 'format'],
    ['no zone', PLAN, { zone: undefined }, 'zone'],
    ['an unknown zone of a location', PLAN, { zones: { bul_lyon: 'Europe/Lyon' } }, 'zones.bul_lyon'],
    ['an unknown option', PLAN, { lang: 'fr' }, 'lang'],
    ['an unknown language', PLAN, { locale: 'de' }, 'locale'],
    ['no mail address', PLAN, { approve: 'lea' }, 'approve'],
    ['an unknown separator', PLAN, { separator: '=' }, 'separator'],
    ['a plan that is none', [PLAN, {}], {}, '1.actions'],
    ['something else than a plan', { steps: [] }, {}, 'actions'],
    ['posts without an id', [{}], {}, '0.id'],
    ['a logo that is loaded', PLAN, { logo: 'https://x.test/a.png' }, 'logo'],
    ['a logo that is too large', PLAN, { logo: `data:image/png;base64,${'A'.repeat(300_000)}` }, 'logo'],
    ['the status of another plan', PLAN, { status: { actions: [] } }, 'status'],
    ['left-overs of several plans', [PLAN, PLAN], { leftOvers: [] }, 'leftOvers'],
  ])('%s', (_, source, options, path) => {
    const act = () => calendarOf(source as Plan, { ...OPTIONS, format: 'csv', ...options } as CalendarOptions);
    expect(act).toThrow(InvalidRequestError);
    expect(act).toThrow(`\`${path.replace(/^(\d)/, '[$1]')}\``);
  });
});
