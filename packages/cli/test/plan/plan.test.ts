import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readActions } from '@multilocal/plans/actions';
import { folder } from '@multilocal/plans/test/helpers';
import type { PlanError } from 'multilocal';
import { describe, expect, it } from 'vitest';
import { PlanFile, readPlan } from '../../src/plan/plan-file.js';
import type { PlacedProblem } from '../../src/plan/problem.js';

const actionsOf = ({ plan }: PlanFile) => readActions(plan).actions;

const places = (problems: readonly PlacedProblem[]) =>
  problems.map(({ line, column, message }) => `${line}:${column} ${message}`);

/** Each value holds the one before it. */
const deepAliases = (depth: number) =>
  `actions:\n  - &a0 x\n${Array.from({ length: depth }, (_, at) => `  - &a${at + 1} [*a${at}]\n`).join('')}`;

/** Each list or map names the one before it nine times. */
const bomb = (first: string, item: (names: string) => string) =>
  [first, ...Array.from({ length: 12 }, (_, at) => `a${at + 1}: &a${at + 1} ${item(`*a${at}, `.repeat(9))}`)].join(
    '\n',
  );

it('a file that is no plan is refused with the place and the reason, and nothing of it is repeated', async () => {
  const inner = `${'['.repeat(3)}${'x, '.repeat(2_000)}${']'.repeat(3)}`;
  const files: [name: string, content?: string | Uint8Array][] = [
    ['missing.json'],
    ['folder.json'],
    ['plan.json', ''],
    ['plan.yaml', ' \n'],
    ['plan.json', Buffer.from('{"é":1}', 'latin1')],
    ['plan.json', Buffer.from('\ufeff{"\ud800":1}', 'utf16le')],
    ['plan.json', 'Bonjour ada@example.com'],
    ['plan.json', '{\n  // note\n "actions": [] }'],
    ['plan.json', '{ "actions": [],\n}'],
    ['plan.json', '{ "actions": [] '],
    ['plan.json', '{}\n{}'],
    ['plan.json', '{ "actions": [],\n  "actions": [] }'],
    ['plan.json', '['.repeat(200_000)],
    ['plan.yaml', '['.repeat(20_000)],
    ['plan.yaml', deepAliases(2_000)],
    ['plan.yaml', bomb('a0: &a0 [x]', (names) => `[${names}]`)],
    ['plan.yaml', bomb('a0: &a0 { x: 1 }', (names) => `{ <<: [${names}] }`)],
    ['plan.yaml', `a: &a ${inner}\nb: [${'*a, '.repeat(2_000)}]`],
    ['plan.yaml', 'actions: []\nactions: []'],
    ['plan.yml', 'actions: !!js/function x'],
    ['plan.yml', 'actions: !secret ada@example.com'],
    ['plan.yaml', 'actions: []\n---\nactions: []'],
    ['plan.yaml', 'actions: *nobody'],
    ['plan.yaml', 'actions: &all\n  - *all'],
    ['plan.yaml', 'actions:\n  - <<: x'],
    ['plan.yaml', 'actions: &a\n  - b\nmore:\n  <<: *a'],
    ['plan.yaml', '- &a {}\n- <<: *a\n  <<: *a'],
    ['plan.yaml', 'actions: &a\n  <<: *a'],
    ['plan.yaml', 'a: b\ncontent: Ouvert lundi #brioche #lyon'],
    ['plan.yaml', '[{ a: Ouvert #lyon\n }]'],
    ['plan.yaml', 'content: Venez !\n  #galette'],
    ['plan.yaml', 'content: |\n  Venez !\n #galette à Lyon'],
    ['plan.yaml', 'texts:\n  - Venez !\n    #galette'],
    ['plan.yaml', 'content: Venez !\n\n  #galette ❤️ #lyon'],
    ['plan.yaml', '- content: |\n    Venez !\n  #galette à #lyon'],
    ['plan.yaml', 'content: "Venez !" #galette #{{ville}}'],
    ['plan.yaml', '- "Venez !"\n#galette #lyon'],
    ['plan.yaml', 'content: | #galette #lyon\n  Venez !'],
    ['plan.yaml', 'content:\n  #galette #lyon\n  Venez !'],
    ['plan.yaml', 'content: #galette #lyon'],
    ['plan.yaml', 'content: &co venez !'],
    ['plan.yaml', 'content: ! venez'],
    ['plan.yaml', 'content: Bonne nouvelle : on ouvre'],
    ['plan.yaml', 'content: @lyon venez'],
    ['plan.yaml', 'content: {{name}}'],
    ['plan.yaml', 'content: {{name}} ferme'],
    ['plan.yaml', 'actions: "ada@example.com'],
  ];
  const parent = folder();
  mkdirSync(join(parent, 'folder.json'));
  let text = '';
  for (const [name, content] of files) {
    const file = join(parent, name);
    if (content !== undefined) writeFileSync(file, content);
    const error = await readPlan(file).catch((thrown: unknown) => thrown as PlanError);
    expect(error).toMatchObject({ code: 'plan_unreadable', message: expect.not.stringContaining('ada@') });
    const shown = JSON.stringify(content === undefined ? null : String(content)).replace(/^(.{78}).{2,}/s, '$1…');
    text += `${shown}\n${(error as PlanError).message.replace(file, name)}\n\n`;
  }
  // The stack of this machine decides where that is.
  const settled = text.replace(/\d+(?=: .*nested too deeply)/g, '…');
  await expect(settled).toMatchFileSnapshot('snapshots/unreadable.txt');
});

describe('a large file is read in seconds', { tags: 'long' }, () => {
  const many = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));
  const post = { operation: 'posts.create', params: { content: 'x', platforms: ['facebook'], bulle_id: 'b' } };

  it.each<[string, string, string]>([
    ['5 000 keys', 'plan.yaml', many(5_000, (at) => `k${at}: 1`).join('\n')],
    ['5 000 aliases of one anchor', 'plan.yaml', `actions:\n  - &a x\n${'  - *a\n'.repeat(5_000)}`],
    ['5 000 anchors', 'plan.yaml', `actions:\n${many(5_000, (at) => `  - &a${at} x\n  - *a${at}\n`).join('')}`],
    ['5 000 actions', 'plan.json', JSON.stringify({ actions: Array(5_000).fill(post) }, null, 2)],
  ])('%s', (_, file, text) => {
    const { plan, problems } = new PlanFile(file, text);
    expect((plan.actions ?? []).length + problems.length).toBeGreaterThan(4_999);
  });
});

const CREATE = { operation: 'posts.create', params: { content: 'Bonjour', platforms: ['facebook'], bulle_id: 'b-1' } };

it.each([
  ['a comment after a text', 'actions: Ouvert # lundi'],
  ['a comment after a number', 'actions: 5 #note'],
  ['a hashtag in quotes', 'actions: "Ouvert #lyon" #note'],
  ['a hashtag in a block', 'actions: |\n  Ouvert #lyon'],
  ['a hashtag without a space', 'actions: Ouvert#lyon'],
  ['a comment on the next line', 'actions: Ouvert\n#note'],
  ['hashtags in a comment', 'actions: Ouvert\n# note #lyon #galette'],
  ['a value that was taken out', 'actions: "Ouvert"\n#name: x #lyon\n#params:'],
  ['a name of a list in a comment', 'actions:\n  #lyon\n  - a'],
])('YAML with %s is read', (_, text) => {
  expect(new PlanFile('plan.yaml', text).plan.actions).toBeDefined();
});

describe('merge keys', () => {
  const yaml = `actions:
  - operation: posts.create
    params: &base
      bulle_id: b-1
      platforms: [facebook]
      content: Un
  - operation: posts.create
    params: { content: Deux, <<: *base }
  - operation: posts.create
    params: { <<: [{ content: Trois, platforms: [gmb] }, *base], bulle_id: b-3 }
`;

  it('take the fields of other maps. Own fields and earlier maps win', () => {
    const plan = new PlanFile('plan.yaml', yaml);
    expect(plan.problems).toEqual([]);
    expect(actionsOf(plan).map(({ params }) => params)).toEqual([
      { bulle_id: 'b-1', platforms: ['facebook'], content: 'Un' },
      { bulle_id: 'b-1', platforms: ['facebook'], content: 'Deux' },
      { bulle_id: 'b-3', platforms: ['gmb'], content: 'Trois' },
    ]);
  });

  it('show problems of a merged value where it stands', () => {
    const { problems } = new PlanFile('plan.yaml', yaml.replace('[facebook]', '[facebok]'));
    expect(places(problems).map((place) => place.slice(0, 20))).toEqual(Array(2).fill('5:19 `params.platfor'));
  });

  it('merge the maps of merged maps', () => {
    const nested = yaml
      .replace('    params: { content: Deux', '    params: &more { content: Deux')
      .replace('*base]', '*more]');
    const plan = new PlanFile('plan.yaml', nested);
    expect(plan.at(['actions', 2, 'params', 'content']).line).toBe(10);
    expect(actionsOf(plan)[2]?.params).toEqual({ bulle_id: 'b-3', platforms: ['gmb'], content: 'Trois' });
    const shorter = new PlanFile('plan.yaml', nested.replace(', platforms: [gmb]', ''));
    expect(shorter.at(['actions', 2, 'params', 'platforms']).line).toBe(5);
  });

  it('are ordinary names in quotes', () => {
    const { problems } = new PlanFile('plan.yaml', yaml.replace('<<: *base', '"<<": *base'));
    expect(places(problems)).toContainEqual(expect.stringContaining('`params.<<` is an unknown'));
  });
});

describe('a plan without problems', () => {
  const text = JSON.stringify({ $schema: 'https://example.com/plan.schema.json', actions: [CREATE] });

  it.each<[string, string | Buffer]>([
    ['UTF-8', `\ufeff${text}`],
    ['UTF-16, as PowerShell 5 writes it', Buffer.from(`\ufeff${text}`, 'utf16le')],
  ])('is read from JSON with a byte order mark of %s', async (_, content) => {
    const file = join(folder(), 'plan.json');
    writeFileSync(file, content);
    const plan = await readPlan(file);
    expect(plan.problems).toEqual([]);
    const actions = actionsOf(plan);
    expect(actions).toHaveLength(1);
    expect(actions[0]).toMatchObject({ operation: 'posts.create', target: 'bulle_id b-1', params: CREATE.params });
  });

  it('is the same in YAML, whatever the order of the parameters', () => {
    const yaml = [
      'actions:',
      '  # the first one',
      '  - operation: posts.create',
      '    params:',
      '      bulle_id: b-1',
      '      platforms: [facebook]',
      '      content: Bonjour',
    ].join('\n');
    const plan = new PlanFile('plan.yaml', yaml);
    const [fromJson] = actionsOf(new PlanFile('plan.json', text));
    expect(actionsOf(plan)[0]?.hash).toBe(fromJson?.hash);
    expect(plan.at(['actions', 0])).toEqual({ line: 3, column: 5 });
    expect(plan.at(['actions', 0, 'params', 'platforms'])).toEqual({ line: 6, column: 7 });
    expect(plan.at(['actions', 0, 'params', 'scheduled_at'])).toEqual({ line: 4, column: 5 });
  });

  it('may use an anchor often, and again for another value', () => {
    const action = (content: string) =>
      `  - { operation: posts.create, params: { content: ${content}, platforms: *p } }`;
    const lines = ['actions:', action('&c Un').replace('*p', '&p [facebook]'), ...Array(200).fill(action('*c'))];
    const plan = new PlanFile('plan.yaml', [...lines, action('&c Deux'), action('*c')].join('\n'));
    expect(plan.problems).toEqual([]);
    const actions = actionsOf(plan);
    expect(actions.map(({ params }) => params.content)).toEqual([...Array(201).fill('Un'), 'Deux', 'Deux']);
    expect(actions[200]?.params.platforms).toEqual(['facebook']);
    // An alias stands where its value can be corrected.
    expect(plan.at(['actions', 200, 'params', 'platforms', 0]).line).toBe(2);
  });

  it('may lack `params`', () => {
    expect(new PlanFile('plan.json', '{"actions":[{"operation":"seo.scan"}]}').problems).toEqual([]);
  });
});

describe('the problems of a plan', () => {
  it('are all reported, each on its line', () => {
    const text = `{
  "action": [],
  "actions": [
    { "operation": "posts.creat", "params": {} },
    { "operation": "posts.list" },
    { "operation": "posts.create", "params": {
      "content": "",
      "platforms": ["facebok"],
      "contents": "x",
      "dry_run": true
    } },
    { "operation": "articles.publish", "params": { "scheduled_at": "2030-01-01T10:00:00" } },
    { "operation": "posts.delete", "params": { "post_id": ".." }, "note": 1 },
    "posts.create",
    { "params": {} },
    { "operation": "acquisition.requestReviews", "params": { "contacts": [
      { "customer_name": "Ada", "channel": "sms",
        "customer_email": "ada@example.com" }
    ] } }
  ]
}`;
    const plan = new PlanFile('plan.json', text);
    expect(actionsOf(plan)).toEqual([]);
    const { problems } = plan;
    expect(places(problems)).toEqual([
      '2:3 `action` is an unknown field. Did you mean `actions`?',
      '4:7 `operation` is an unknown operation. Did you mean `posts.create`?',
      '5:7 `operation` only reads. A plan holds writes: call the method of the client.',
      '7:7 `params.content` must have 1 to 5000 characters.',
      '8:21 `params.platforms[0]` must be one of facebook, instagram, gmb, linkedin, pinterest, tiktok, snapchat, youtube; received "facebok". Did you mean "facebook"?',
      '9:7 `params.contents` is an unknown parameter. Did you mean `content`?',
      '10:7 `params.dry_run` must be absent: a rehearsal previews a plan, and a run carries it out.',
      '12:40 `params.article_id` is required and must be a string or an integer.',
      '12:52 `params.scheduled_at` must be a date-time that exists, with `Z` or an offset (+01:00).',
      '13:48 `params.post_id` must be an identifier.',
      '13:67 `note` is an unknown field.',
      '14:5 The action must be an object such as { "operation", "params" }; received a string.',
      '15:5 `operation` is required and must be a string such as "posts.create".',
      "17:7 `params.contacts[0].customer_phone` is required when `channel` is 'sms'.",
    ]);
    expect(places(problems).join()).not.toContain('ada@');
  });

  it.each<[string, ...string[]]>([
    ['[]', 'The plan must be an object such as { "actions": [ … ] }.'],
    ['{}', '`actions` is required and must be an array.'],
    ['{"actions":[]}', '`actions` must have at least one action.'],
    ['{"actions":{}}', '`actions` must be an array; received an object.'],
    ['{"$schema":1,"actions":[{"operation":"seo.scan"}]}', '`$schema` must be a string; received a number.'],
    ['{"name":7,"actions":[{"operation":"seo.scan"}]}', '`name` must be a string; received a number.'],
    ['{"name":"a\\nb","actions":[{"operation":"seo.scan"}]}', '`name` must have 1 to 200 characters on one line.'],
    ['{"actions":[{"operation":"seo.scan","params":[]}]}', '`params` must be an object; received an array.'],
    [
      '{"actions":[{"operation":"seo.scam","params":[]}]}',
      '`operation` is an unknown operation. Did you mean `seo.scan`?',
      '`params` must be an object; received an array.',
    ],
    ['{"actions":[{"operation":"seo.scan","params":{"__proto__":{}}}]}', '`params.__proto__` is an unknown parameter.'],
  ])('%s', (text, ...expected) => {
    expect(new PlanFile('plan.json', text).problems.map(({ message }) => message)).toEqual(expected);
  });
});
