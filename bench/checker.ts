// Run by `npx tsx bench/checker.ts`: what looking at an answer costs, ours beside zod/mini and zod's compiled form.
// Interleaved rounds on freshly parsed bodies; medians. The figures stand in decisions/0010-own-checker.md.
import { performance } from 'node:perf_hooks';
import * as z from 'zod/mini';
import * as zod from 'zod/v4';
import { issuesOf } from '../src/core/issues.js';
import type { Schema } from '../src/core/schema.js';
import { article } from '../src/resources/articles-model.js';
import { postEndpoints } from '../src/resources/posts-model.js';
import { aPost } from '../test/resources/bodies.js';
import { ARTICLE } from '../test/support/fixtures.js';
import { zodOf } from '../test/support/zod.js';

const ROUNDS = 2_000;

function compare(title: string, schema: Schema, body: unknown): void {
  const text = JSON.stringify(body);
  const mini = zodOf(schema);
  const compiled = zod.compile(zodOf(schema) as never) as { safeParse(value: unknown): unknown };
  const candidates: Record<string, (value: unknown) => unknown> = {
    'JSON.parse alone': () => undefined,
    ours: (value) => issuesOf(schema, value),
    'zod/mini': (value) => z.safeParse(mini, value),
    'z.compile': (value) => compiled.safeParse(value),
  };
  const times = Object.fromEntries(Object.keys(candidates).map((name) => [name, [] as number[]]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, look] of Object.entries(candidates)) {
      const started = performance.now();
      look(JSON.parse(text));
      times[name]?.push(performance.now() - started);
    }
  }
  const median = (name: string) => [...(times[name] as number[])].sort((a, b) => a - b)[ROUNDS / 2] as number;
  const raw = median('JSON.parse alone');
  console.log(
    `${title}, ${text.length} bytes, Node ${process.versions.node}: JSON.parse ${(raw * 1000).toFixed(1)} µs`,
  );
  for (const name of Object.keys(candidates).slice(1)) {
    console.log(`  with ${name}: ${(median(name) / raw).toFixed(2)} times as long`);
  }
}

compare('one article', article, { ...ARTICLE, content_html: 'é'.repeat(5_500) });
compare(
  '100 posts',
  postEndpoints.list.response,
  Array.from({ length: 100 }, (_, id) => aPost({ id, content: 'a'.repeat(400) })),
);
