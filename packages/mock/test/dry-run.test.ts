import { spec } from '@multilocal/test/spec/endpoints';
import { expect, test } from 'vitest';
import { api, call, freshApi, sampleOf } from './helpers.js';

freshApi();

/** The lookup of a keyword that nobody tracks changes nothing. */
const MORE: Record<string, object> = { 'seo.keywordLookup': { keyword: 'boulangerie lyon' } };
const operations = spec.filter((row) => row.dry_run === true).map(({ operation }) => operation);

function run(operation: string, dry_run: boolean) {
  const { line, body } = sampleOf(operation, { ...MORE[operation], dry_run });
  return call(api, line, { body });
}

test.each(operations)(
  '%s: a preview shows that it is one and changes nothing, unlike the operation',
  async (operation) => {
    const before = api.snapshot();
    const preview = await run(operation, true);
    expect(api.requests.at(-1)?.operation).toBe(operation);
    expect([preview.status, preview.body.dry_run]).toEqual([200, true]);
    const hasNews = Object.keys(preview.body).some((key) => key.startsWith('would_'));
    expect(hasNews).toBe(operation !== 'gmb.optimizer.apply');
    expect('quota' in preview.body).toBe(hasNews);
    expect(api.snapshot()).toEqual(before);

    const { status, body } = await run(operation, false);
    expect(status).toBeLessThan(300);
    expect(Object.keys(body).filter((key) => /^(dry_run|would_)/.test(key))).toEqual([]);
    expect(api.snapshot()).not.toEqual(before);
  },
);
