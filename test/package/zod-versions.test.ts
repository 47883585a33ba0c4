// The entry as it is published, with the zod of the app: the oldest one that is supported, and the newest.
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installed, MATRIX } from '../../scripts/matrix.mjs';
import { root } from '../examples/run.js';
import { compile } from './project.js';

const app = mkdtempSync(join(tmpdir(), 'multilocal-schemas-'));
const folderOf = (version: string) => join(app, version);

const VERSIONS = Object.keys(MATRIX.zod);

const CONSUMER = `
import * as classic from 'zod';
import * as z from 'zod/mini';
import { articleSchema, noSeoSnapshotSchema, postCreateParamsSchema, seoSnapshotSchema } from 'multilocal/schemas';

const feed = classic.object({ articles: classic.array(articleSchema), first: classic.optional(articleSchema) });
const title: string | null | undefined = feed.safeParse({}).data?.articles[0]?.title;
const posts = z.array(postCreateParamsSchema);
const snapshots: { bulle_id?: string | null }[] = z.parse(z.array(z.union([seoSnapshotSchema, noSeoSnapshotSchema])), []);
// @ts-expect-error an article has no such field
feed.parse({ articles: [] }).first?.nothing;

classic.config({ customError: () => 'words of the app' });
const said = (schema: z.core.$ZodType, value: unknown) => z.safeParse(schema, value).error?.issues.map((issue) => issue.message);
const post = { content: '👩'.repeat(5000), platforms: ['gmb'], scheduled_at: new Date(0) };
console.log(JSON.stringify({
  title: title ?? null,
  snapshots,
  valid: [z.safeParse(posts, [post]).success, z.safeParse(seoSnapshotSchema, { kind: 'x', snapshot_id: 1, bulle_id: 'b', created_at: '', has_ai_analysis: false }).success],
  article: said(feed, { articles: [{}, 1] }),
  post: said(postCreateParamsSchema, { ...post, content: '', platforms: 'gmb', bulleId: 'b' }),
  platforms: said(postCreateParamsSchema, { ...post, platforms: ['gmb', 'facebok'], scheduled_at: 'soon', image_urls: ['a'] }),
  rule: said(postCreateParamsSchema, { ...post, text: 'a' }),
  kept: z.parse(articleSchema, { id: 1, title: '', status: '', created_at: '', updated_at: '', more: 1 }),
  json: [classic.toJSONSchema(articleSchema), z.toJSONSchema(seoSnapshotSchema)],
  bounds: z.toJSONSchema(postCreateParamsSchema, { unrepresentable: 'any' }).properties,
}));
`;

/** The entry, what it says where zod is missing, and its types. */
const OUR_FILES = readdirSync(join(root, 'dist')).filter((name) =>
  /^(schemas|needs-zod.*|type-fest)(\.d\.ts|\.js)$/.test(name),
);

beforeAll(async () => {
  const zods = await installed('zod');
  for (const version of VERSIONS) {
    const modules = join(folderOf(version), 'node_modules');
    const ours = join(modules, 'multilocal');
    mkdirSync(ours, { recursive: true });
    symlinkSync(join(zods, version), join(modules, 'zod'));
    for (const name of OUR_FILES) copyFileSync(join(root, 'dist', name), join(ours, name));
    const exports = { './schemas': './schemas.js' };
    writeFileSync(join(ours, 'package.json'), JSON.stringify({ name: 'multilocal', type: 'module', exports }));
    writeFileSync(join(folderOf(version), 'package.json'), JSON.stringify({ type: 'module' }));
    writeFileSync(join(folderOf(version), 'app.ts'), CONSUMER);
  }
});
afterAll(() => rmSync(app, { recursive: true, force: true }));

const OPTIONS = {
  target: 'es2022',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  // Our types are checked with those of zod, those of the compiler itself are not.
  skipLibCheck: false,
  skipDefaultLibCheck: true,
  types: [],
};

describe.each(VERSIONS)('with zod %s', (version) => {
  const folder = folderOf(version);
  const run = () =>
    JSON.parse(execFileSync(process.execPath, [join(folder, 'app.js')], { encoding: 'utf8' })) as unknown;

  it('is that version', () => {
    const text = readFileSync(join(folder, 'node_modules/zod/package.json'), 'utf8');
    expect((JSON.parse(text) as { version: string }).version).toBe(version);
  });

  it('compiles', async () => {
    expect(await compile(folder, { compilerOptions: OPTIONS, files: ['app.ts'] })).toMatchObject({
      code: 0,
      output: '',
    });
  });

  it('accepts, refuses, says and shows the same', () => {
    expect(run()).toMatchObject({
      valid: [true, true],
      article: [
        'is required and must be an integer',
        ...Array.from({ length: 3 }, () => 'is required and must be a string'),
        'must be an object; received a number',
      ],
      post: [
        'must have 1 to 5000 characters',
        'must be an array; received a string',
        '`bulleId` is an unknown parameter. Did you mean `bulle_id`?',
      ],
      platforms: [
        expect.stringMatching(/; received "facebok"\. Did you mean "facebook"\?$/),
        'must have 2 to 10 items',
        'must be a date-time that exists, with `Z` or an offset (+01:00)',
      ],
      rule: ['or `text` is required, but not both'],
      kept: { more: 1 },
      json: [
        { type: 'object', required: ['id', 'status', 'created_at', 'updated_at'] },
        { properties: { snapshot: { not: {} } } },
      ],
      bounds: {
        content: { minLength: 1, maxLength: 5000 },
        platforms: { minItems: 1 },
        image_urls: { minItems: 2, maxItems: 10, items: { minLength: 1 } },
      },
    });
  });
});
