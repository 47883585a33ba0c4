// The types of `Temporal` that ship with TypeScript. The project itself compiles without them.
import { expect, it } from 'vitest';
import { compile } from '../support/compile.js';

const CALLS = `import { Client } from '../../src/index.js';
new Client().posts.update(1, { scheduled_at: Temporal.Now.instant() });
new Client().posts.update(1, { scheduled_at: Temporal.Now.zonedDateTimeISO() });
new Client().posts.update(1, { scheduled_at: Temporal.Now.plainDateTimeISO() });`;

it('a call takes an instant and a date-time with a zone, but no date-time without one', () => {
  const errors = compile({ 'calls.ts': CALLS }, { lib: ['ES2023', 'ESNext.Temporal', 'DOM', 'DOM.Iterable'] });
  expect(errors.filter((line) => /^\w/.test(line))).toEqual([expect.stringMatching(/^calls.ts\(4,/)]);
});
