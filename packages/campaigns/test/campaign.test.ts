import { type Bulle, InvalidRequestError } from 'multilocal';
import { clip } from 'multilocal/internal/text';
import { describe, expect, it } from 'vitest';
import { printCampaignProblem } from '../src/campaign.js';
import { type Campaign, type CampaignRow, planCampaign } from '../src/index.js';
import { cellProblem } from '../src/rows.js';

const LYON: Bulle = { id: 'bul_lyon', name: 'Fournil Lyon', city: 'Lyon', tone: null };
const PARIS: Bulle = { id: 'bul_paris', name: 'Fournil Paris', city: 'Paris', tone: 'vif' };
const DENIS: Bulle = { id: 'bul_denis', name: 'Fournil Saint-Denis', city: 'Saint-Denis', tone: 'vif' };
const ALL = [LYON, PARIS, DENIS];

const campaign = (changes: object = {}, post: object = {}): Campaign =>
  ({
    campaign: 'noel-2026',
    at: '2026-12-24T09:00',
    zone: 'Europe/Paris',
    for: 'all',
    ...changes,
    post: { platforms: ['facebook'], content: '{{name}} ferme à {{closing|16 h}}.', ...post },
  }) as Campaign;

/** The location and the text of each action. */
function texts(...given: Parameters<typeof planCampaign>): unknown[] {
  const { plan, problems } = planCampaign(...given);
  expect(problems).toEqual([]);
  return plan.actions.map(({ params }) => [Object(params).bulle_id, Object(params).content]);
}

/** The place and the message of each problem, and who is left in the plan. */
function problemsOf(...given: Parameters<typeof planCampaign>) {
  const { plan, problems } = planCampaign(...given);
  return {
    problems: problems.map(
      ({ code, bulle_id = '', path, message }) => `${code} ${bulle_id} ${path.join('.')} ${message}`,
    ),
    planned: plan.actions.map(({ params }) => Object(params).bulle_id),
  };
}

function refusal(...given: unknown[]): string[] {
  try {
    planCampaign(...(given as Parameters<typeof planCampaign>));
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidRequestError);
    return (error as InvalidRequestError).issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  }
  return [];
}

describe('planCampaign', () => {
  it('makes one post for each location, at its local time and with its words', () => {
    const rows = [{ bulle_id: 'bul_paris', closing: '15 h', _note: 'x' }];
    const given = [campaign({ zones: { bul_denis: 'Indian/Reunion' } }), ALL, rows] as const;
    const before = structuredClone(given);
    const { plan, problems } = planCampaign(...given);
    expect([problems, given]).toEqual([[], before]);
    expect(plan).toEqual({
      name: 'noel-2026',
      actions: [
        ['bul_lyon', 'Fournil Lyon ferme à 16 h.', '2026-12-24T09:00:00+01:00'],
        ['bul_paris', 'Fournil Paris ferme à 15 h.', '2026-12-24T09:00:00+01:00'],
        ['bul_denis', 'Fournil Saint-Denis ferme à 16 h.', '2026-12-24T09:00:00+04:00'],
      ].map(([bulle_id, content, scheduled_at]) => ({
        key: `noel-2026/${bulle_id}`,
        operation: 'posts.create',
        params: { bulle_id, platforms: ['facebook'], content, scheduled_at },
      })),
    });
  });
});

describe('`for`', () => {
  const of = (chosen: unknown, rows?: readonly CampaignRow[]) =>
    texts(campaign({ for: chosen }, { content: 'x' }), ALL, rows).map((one) => Object(one)[0]);

  it('chooses by one value, by several, and by several fields', () => {
    expect(of({ city: 'Lyon' })).toEqual(['bul_lyon']);
    expect(of({ city: ['Paris', 'Lyon'] })).toEqual(['bul_lyon', 'bul_paris']);
    expect(of({ city: ['Paris', 'Lyon'], tone: 'vif' })).toEqual(['bul_paris']);
    expect(of({ tone: null })).toEqual(['bul_lyon']);
  });

  it('says of which locations the plan speaks, if it chooses by fields', () => {
    const coversOf = (chosen: unknown, rows?: CampaignRow[]) =>
      planCampaign(campaign({ for: chosen }, { content: 'x' }), ALL, rows).plan.covers;
    expect(coversOf({ city: ['Paris', 'Lyon'] })).toEqual(['bul_lyon', 'bul_paris']);
    expect([coversOf('all'), coversOf('rows', [{ bulle_id: 'bul_lyon' }])]).toEqual([undefined, undefined]);
  });

  it('chooses the locations of the rows, in their order', () => {
    expect(of('rows', [{ bulle_id: 'bul_denis' }, { bulle_id: 'bul_lyon' }])).toEqual(['bul_denis', 'bul_lyon']);
  });

  it('counts a location that is listed twice only once', () => {
    expect(texts(campaign(), [LYON, LYON])).toHaveLength(1);
  });

  it.each<[string, unknown, readonly Bulle[], string]>([
    ['a typo', { city: ['Lyon', 'Pariss'] }, ALL, 'for.city.1 is the value of no location. Did you mean `Paris`?'],
    [
      'one that a word of every location is near',
      { tone: 'vivf' },
      ALL,
      'for.tone is the value of no location. Did you mean `vif`?',
    ],
    ['no word that is near', { tone: 'nul' }, ALL, 'for.tone is the value of no location.'],
    ['a combination that no location has', { city: 'Lyon', tone: 'vif' }, ALL, 'for matches no location'],
    ['no locations', 'all', [], 'for matches nothing: the key has no location'],
    ['no locations to choose from', { city: 'Lyon' }, [], 'for matches nothing: the key has no location'],
  ])('has a problem for %s', (_, chosen, locations, problem) => {
    expect(problemsOf(campaign({ for: chosen }), locations).problems).toEqual([`no_location  ${problem}`]);
  });
});

describe('variables', () => {
  const filled = (content: string, row: object = {}) =>
    texts(campaign({}, { content }), [LYON], [{ bulle_id: 'bul_lyon', ...row }]).map((one) => Object(one)[1]);

  it.each<[string, string, object, string]>([
    ['a field of the location', '{{name}} à {{city}}', {}, 'Fournil Lyon à Lyon'],
    ['its id', '{{bulle_id}}', {}, 'bul_lyon'],
    ['white space in the braces', '{{ name }} {{ closing | 16 h }}', {}, 'Fournil Lyon 16 h'],
    ['a column with a name of several words', '{{heure d’été}}', { 'heure d’été': 'midi' }, 'midi'],
    ['a number', '{{closing}}', { closing: 0 }, '0'],
    ['a line end of another system', '{{note}}', { note: ' a\r\nb\rc\r\n' }, 'a\nb\nc'],
    ['a column before a field', '{{name}}', { name: 'La Mie' }, 'La Mie'],
    ['a field behind an empty cell', '{{name}}', { name: ' ' }, 'Fournil Lyon'],
    ['the default behind an empty cell', '{{closing|16 h}}', { closing: '' }, '16 h'],
    ['an empty default', 'Ouvert{{more|}}.', {}, 'Ouvert.'],
    ['a value that looks like a replacement', '{{note}}', { note: '$& $1' }, '$& $1'],
  ])('fill in %s', (_, content, row, expected) => {
    expect(filled(content, row)).toEqual([expected]);
  });

  it('stand in every text and address of the post', () => {
    const post = {
      content: undefined,
      text: '{{name}}',
      image_urls: ['https://example.com/{{bulle_id}}.png', 'https://example.com/b.png'],
      gmb_fiche_id: 'fiches/{{fiche}}',
      content_per_platform: { gmb: '{{name}} sur Google', facebook: { lines: ['{{city}}'], bold: true } },
    };
    const { plan } = planCampaign(campaign({}, post), [LYON], [{ bulle_id: 'bul_lyon', fiche: '7' }]);
    expect(plan.actions[0]?.params).toMatchObject({
      text: 'Fournil Lyon',
      image_urls: ['https://example.com/bul_lyon.png', 'https://example.com/b.png'],
      gmb_fiche_id: 'fiches/7',
      content_per_platform: { gmb: 'Fournil Lyon sur Google', facebook: { lines: ['Lyon'], bold: true } },
    });
  });

  it('without a value leave the location out, each with its place', () => {
    const post = { content: '{{closing}} {{closing}}', image_urls: ['https://x.test/{{nam}}.png', 'https://x.test'] };
    const rows = [{ bulle_id: 'bul_paris', closing: '15 h', nam: 'p' }];
    expect(problemsOf(campaign({}, post), [LYON, PARIS], rows)).toEqual({
      problems: [
        'missing_value bul_lyon post.content has no value for `{{closing}}`. Add it to the rows, or write a default: `{{closing|…}}`.',
        'missing_value bul_lyon post.image_urls.0 has no value for `{{nam}}`. Add it to the rows, or write a default: `{{nam|…}}`. Did you mean `name`?',
      ],
      planned: ['bul_paris'],
    });
  });

  it('with braces in their value leave the location out: they would be published', () => {
    const rows = [{ bulle_id: 'bul_lyon', note: 'chez {{name}}' }];
    expect(problemsOf(campaign({}, { content: '{{note}}' }), [LYON], rows)).toEqual({
      problems: ['missing_value bul_lyon post.content has braces in the value of `{{note}}`'],
      planned: [],
    });
  });

  it.each(['{{constructor}}', '{{__proto__}}', '{{tone}}', '{{#if name}}'])('have no value in %s', (content) => {
    expect(problemsOf(campaign({}, { content }), [LYON])).toMatchObject({
      problems: [expect.stringContaining('missing_value bul_lyon post.content')],
      planned: [],
    });
  });

  it.each(['{{name}', '{{}}', '{{ |x}}', 'name}}', '{{{name}}}', '{{a {{name}}'])('are refused in %s', (content) => {
    expect(refusal(campaign({}, { content }), ALL)).toEqual([expect.stringMatching(/^post\.content has braces/)]);
  });
});

describe('a problem of one location', () => {
  it('is a post that is invalid after filling in', () => {
    const rows = [
      { bulle_id: 'bul_lyon', text: 'x'.repeat(5001) },
      { bulle_id: 'bul_paris', text: 'x'.repeat(5000) },
    ];
    expect(problemsOf(campaign({ for: 'rows' }, { content: '{{text}}' }), ALL, rows)).toEqual({
      problems: ['invalid_request bul_lyon post.content must have 1 to 5000 characters'],
      planned: ['bul_paris'],
    });
  });

  it.each([
    ['skips', '2027-03-28T02:30', /does not exist in Europe\/Paris/],
    ['has twice', '2026-10-25T02:30', /happens twice in Europe\/Paris.*Choose another time/],
  ])('is a time that its zone %s', (_, at, message) => {
    const zones = { bul_denis: 'Indian/Reunion' };
    expect(problemsOf(campaign({ at, zones }), [LYON, DENIS])).toEqual({
      problems: [expect.stringMatching(message)],
      planned: ['bul_denis'],
    });
  });

  it('is a row of its own that is repeated', () => {
    const rows = ['bul_lyon', 'bul_paris', 'bul_lyon'].map((bulle_id) => ({ bulle_id }));
    expect(problemsOf(campaign(), ALL, rows)).toEqual({
      problems: ['repeated_location bul_lyon rows.2.bulle_id is in an earlier row too. Keep one of them'],
      planned: ['bul_paris', 'bul_denis'],
    });
  });
});

describe('an unknown location', () => {
  it('is a problem in the rows and among the zones', () => {
    const rows = [{ bulle_id: 'bul_lyons' }, { bulle_id: '' }, { name: 'x' }];
    const { problems, planned } = problemsOf(campaign({ zones: { bul_pari: 'UTC' } }), ALL, rows as never);
    expect(problems).toEqual([
      'unknown_location  rows.0.bulle_id is not the id of a location of the key. Did you mean `bul_lyon`?',
      'unknown_location  rows.1.bulle_id is required: the id of a location',
      'unknown_location  rows.2.bulle_id is required: the id of a location',
      'unknown_location  zones.bul_pari is not the id of a location of the key. Did you mean `bul_paris`?',
    ]);
    expect(planned).toEqual(['bul_lyon', 'bul_paris', 'bul_denis']);
  });
});

describe('a campaign that no location can carry out is refused', () => {
  it('in these words', async () => {
    const at = '2026-12-24T09:00Z';
    const wrong: [title: string, campaign: object, post?: object][] = [
      ['an unknown name', { zonne: 'UTC' }],
      ['an unknown name of the post', {}, { contnet: 'x' }],
      ['a field with the name of a method', {}, { toString: 'x' }],
      ['an unknown platform', {}, { platforms: ['facebok'] }],
      ['no text', {}, { content: undefined }],
      ['a text that is too long', {}, { content: 'x'.repeat(5001) }],
      ['no name', { campaign: undefined }],
      ['a slash in the name', { campaign: 'a/b' }],
      ['a text in a wrong encoding', {}, { content: '{{name}} fermÃ©' }],
      ['a moment of the past', { at: '1926-12-24T09:00' }],
      ['a variable that YAML has read as a map', {}, { content: { '{ name }': null } }],
      ['the same of another parser, among addresses', {}, { image_urls: [{ '[object Object]': null }] }],
      ['an offset', { at }],
      ['a day that no calendar has', { at: '2027-02-30T09:00' }],
      ['an unknown zone', { zone: 'Europe/Lyon' }],
      ['an unknown zone of a location', { zones: { bul_lyon: 'x' } }],
      ['a moment of its own', {}, { scheduled_at: at }],
      ['a moment of a platform', {}, { scheduled_gmb: at }],
      ['publish_now', {}, { publish_now: true }],
      ['a location', {}, { bulle_id: 'bul_lyon' }],
      ['an unknown choice', { for: 'al' }],
      ['a wrong field', { for: { citty: 'x' } }],
      ['an empty choice', { for: {} }],
      ['no value', { for: { city: [] } }],
      ['something else than a value', { for: { city: {} } }],
      ['something else than values', { for: { city: [{}] } }],
    ];
    const said = wrong.map(([title, changes, post]) => [title, ...refusal(campaign(changes, post), ALL)].join('\n'));
    await expect(said.join('\n\n')).toMatchFileSnapshot('./snapshots/campaign.txt');
  });

  it('if it, the locations or the rows are something else', () => {
    expect(refusal(null, [])).toEqual(['must be an object; received null'].map((text) => ` ${text}`));
    expect(refusal(campaign(), [{ name: 'x' }])).toEqual(['locations.0.id is required and must be a string']);
    expect(refusal(campaign(), ALL, ['bul_lyon'])).toEqual(['rows.0 must be an object; received a string']);
  });
});

it('prints a problem as a sentence', () => {
  const place = { path: ['post', 'content'], message: 'is empty' };
  expect(printCampaignProblem({ code: 'missing_value', bulle_id: 'bul_lyon', ...place })).toBe(
    'bul_lyon: `post.content` is empty.',
  );
  expect(printCampaignProblem({ code: 'no_location', path: [], message: 'is empty' })).toBe('The campaign is empty.');
});

const ERRORS = `#N/A #n/a #DIV/0! #REF! #VALUE! #valeur! #NAME? #NOM? #NULL! #NUL! #NUM! #NOMBRE! ### #GETTING_DATA #DATEN_ABRUFEN
  #N/D #Н/Д #¡REF! #¡VALOR! #¿NOMBRE? #N.A. #REF\u00a0! #NOM\u202f? Erreur:502 Err:502 Err:32767 err:508 Erro:502 Błąd:502 Ошибка:502
  Loading... Chargement…`;
const HASHTAGS = `#NV #YOK #ПЕРЕПОЛНЕНИЕ #ПЕРЕПОЛНЕНИЕ! #ÜBERLAUF! #ÜBERLAUF! #PROMO! #NOËL! #QUOI? #SPILL! #PROPAGATION! #CALC! #ERROR!
  #CHAMP! #FIELD! #BUSY! #CONNECT! #BLOCKED! #UNKNOWN! #${'A'.repeat(79)}`;
const LIKE = 'which looks like an error of the spreadsheet. Correct the cell, or write a hashtag in small letters';
it.each<[string, string[], (text: string) => string | undefined]>([
  [
    'an error',
    ERRORS.split(/[ \n]+/),
    (text) => `is \`${text.replace(/\s/, ' ')}\`, an error of the spreadsheet. Correct the cell`,
  ],
  ['a formula', [`=${'1'.repeat(79)}`], (text) => `is the formula \`${text}\`. Write its result`],
  ['a long formula', [`=${'1'.repeat(80)}`], (text) => `is the formula \`${text.slice(0, 79)}…\`. Write its result`],
  ['an error that may be a hashtag', HASHTAGS.split(/[ \n]+/), (text) => `is \`${clip(text)}\`, ${LIKE}`],
  [
    'a control character',
    ['a\0b', 'a\u000bb'],
    (text) => `has a control character (U+000${text === 'a\0b' ? 0 : 'B'}), which no text has. Write the text again`,
  ],
])('a cell with %s', (_, texts, problemOf) => {
  expect(texts.map((text) => cellProblem(text)?.[0])).toEqual(texts.map(problemOf));
});

/** UTF-8 that was read as Windows-1252, as Macintosh and as MS-DOS; MS-DOS, Macintosh and Windows-1252 that were read as another of them. */
const DAMAGED = `Ã©tÃ©|Câ€™est|matinÂ !|9Â h|30Â°|dÃ©jÃ\u00a0|ðŸŽ„|√©t√©|l‚Äôhiver|30¬∞|bient√¥t|├®t├®|lÔÇÖhiver|lΓÇÖhiver|30┬░|bient├┤t
‚t‚|caf‚|d'‚quipe|d‚j…|bient“t|fran‡ais|trŠs|R‚union|gƒteau|ma‹s|mˆme|30øC|ŽtŽ|cafŽ|dŽjˆ|bient™t|fran\u008dais|RŽunion|g‰teau|lÕŽtŽ|ˆ demain
ÈtÈ|trËs|franÁais|ÚtÚ|dÚjÓ|cafΘ|l\u0092hiver|L\ufffdete`;
const REAL = `#fermé|#Noël2026|#1|a #N/A|#N/A b|NULL!|##|1=1||Erreur : 50|Chargement à 9 h|a\tb\nc|Ãlan|SÃO PAULO|São Tomé|IRMÃ|L’Âne|CAFÉs|1ÈRE
#FêteDeLÉté|Škoda Žižkov|√2 et 3 ½|(ˆ_ˆ)|voilà… « non »|pain•vin|Lyon—Nice|30 °C à l’ombre|30 ø|Dupont™ Frères|‚Brot‘|├── pain|Noël 🎄 ❤️|kΩ`;
it('a cell in a wrong encoding is found, and no real text is taken for one', () => {
  const problems = DAMAGED.split(/[|\n]/).map((text) => cellProblem(text)?.[0] ?? text);
  expect([...new Set(problems)]).toEqual(['has damaged accents. Save the file again as UTF-8']);
  expect(REAL.split(/[|]|\n(?!c)/).filter(cellProblem)).toEqual([]);
});

describe('tables as people export them', () => {
  const found = (content: string, rows: readonly CampaignRow[]) =>
    problemsOf(campaign({ for: 'rows' }, { content }), ALL, rows).problems;
  const row = (heure: string, bulle_id = 'bul_lyon') => ({ bulle_id, heure });
  const unused = 'have a column `heure` that no text uses. Write `{{heure}}` in a text, or `_heure` for a note';

  it.each<[string, string, CampaignRow[], ...string[]]>([
    ['an unused column', 'x', [row('9 h'), row('', 'bul_paris')], `unused_column  rows ${unused}`],
    [
      'a formula',
      '{{heure}}',
      [row(' =1')],
      'spreadsheet_error bul_lyon rows.0.heure is the formula `=1`. Write its result',
    ],
    ...[new Date(0), true, 16n, { text: '16 h' }, Number.NaN].map((heure): [string, string, CampaignRow[], string] => [
      `what is no text: ${String(heure)}`,
      '{{_heure|9 h}}',
      [{ bulle_id: 'bul_lyon', _heure: heure }],
      'spreadsheet_error bul_lyon rows.0._heure must be a text or a number',
    ]),
    [
      'an error of Excel, in any cell',
      '{{heure}}',
      [row('#N/A', 'bul_nice')],
      'unknown_location  rows.0.bulle_id is not the id of a location of the key.',
      'spreadsheet_error  rows.0.heure is `#N/A`, an error of the spreadsheet. Correct the cell',
    ],
    [
      'a misspelled variable with a default',
      '{{heurs|9 h}} {{heure}}',
      [row('10 h')],
      'missing_value bul_lyon post.content has no value for `{{heurs}}`. Did you mean `heure`?',
    ],
    [
      'a misspelled variable, which is no unused column too',
      '{{heurs}}',
      [row('10 h')],
      'missing_value bul_lyon post.content has no value for `{{heurs}}`. Add it to the rows, or write a default: `{{heurs|…}}`. Did you mean `heure`?',
    ],
  ])('%s is a problem', (_, content, rows, ...problems) => {
    expect(found(content, rows)).toEqual(problems);
  });

  it.each<[string, unknown, CampaignRow[]?]>([
    ['an empty table', 'rows', []],
    ['no table', 'rows'],
    ['an empty table that no choice needs', 'all', []],
  ])('%s is a problem, which no default hides', (_, chosen, rows) => {
    const { problems } = planCampaign(campaign({ for: chosen }, { content: '{{heure|9 h}}' }), ALL, rows);
    expect(problems).toEqual([{ code: 'no_location', path: ['rows'], message: 'must have at least one row' }]);
  });

  it.each<[string, string, CampaignRow[]]>([
    ['a note', 'x', [{ bulle_id: 'bul_lyon', _heure: '9 h' }]],
    ['accents as macOS writes them', '{{été}}', [{ bulle_id: 'bul_lyon', ['été'.normalize('NFD')]: 'x' }]],
    ['a default for an empty cell', '{{heure|9 h}}', [{ bulle_id: 'bul_lyon', heure: '' }]],
    ['a default for a cell of no column', '{{fermeture|9 h}}', [{ bulle_id: 'bul_lyon' }]],
  ])('%s is none', (_, content, rows) => {
    expect(found(content, rows)).toEqual([]);
  });
});
