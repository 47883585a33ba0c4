import { describe, expect, it } from 'vitest';
import { type CreatedPost, postStatusByPlatform, searchConsoleRows } from '../../src/index.js';
import { aPost, BODIES } from '../spec/bodies.js';
import { deepFreeze } from '../support/fixtures.js';

const AT = '2026-12-01T08:00:00+00:00';

describe('postStatusByPlatform', () => {
  it('groups the flat fields of the targeted platforms, in the order of the post', () => {
    const post = deepFreeze(
      aPost({
        platforms: ['gmb', 'facebook'],
        scheduled_gmb: AT,
        published_facebook: AT,
        error_gmb: 'refusé',
        platform_refs: { facebook: 'fb_1' },
      }),
    );
    const status = postStatusByPlatform(post);
    expect(status).toEqual({
      gmb: { scheduled: AT, published: null, error: 'refusé', ref: null },
      facebook: { scheduled: null, published: AT, error: null, ref: 'fb_1' },
    });
    expect(Object.keys(status)).toEqual(['gmb', 'facebook']);
  });

  it('includes a platform with a value that the post does not target', () => {
    expect(postStatusByPlatform(aPost({ platforms: [], error_tiktok: 'expiré' }))).toEqual({
      tiktok: { scheduled: null, published: null, error: 'expiré', ref: null },
    });
    expect(postStatusByPlatform(aPost({ platforms: [], platform_refs: { youtube: { id: 7 } } }))).toEqual({
      youtube: { scheduled: null, published: null, error: null, ref: { id: 7 } },
    });
    expect(postStatusByPlatform(aPost({ platforms: [] }))).toEqual({});
  });

  it('includes platforms that this version does not know', () => {
    const post = { ...aPost({ platforms: ['threads'] }), published_threads: AT };
    expect(postStatusByPlatform(post)).toEqual({ threads: { scheduled: null, published: AT, error: null, ref: null } });
    const unnamed = {
      ...aPost({ platforms: [] }),
      scheduled_threads: AT,
      published_threads: null,
      error_threads: null,
    };
    expect(Object.keys(postStatusByPlatform(unnamed))).toEqual(['threads']);
  });

  it('ignores other fields', () => {
    const post = {
      ...aPost({ platforms: [] }),
      scheduled_at: AT,
      published_at: AT,
      error_message: 'non',
      error_code: 7,
    };
    expect(postStatusByPlatform(post)).toEqual({});
  });

  it('works with the response of posts.create', () => {
    expect(postStatusByPlatform(BODIES['posts.create'] as CreatedPost)).toEqual({
      facebook: { scheduled: '2026-12-01T08:00:00Z', published: null, error: null, ref: null },
    });
  });

  it('is not misled by names that every object has', () => {
    const post = aPost({ platforms: ['constructor', '__proto__', 'toString'], platform_refs: null });
    const status = postStatusByPlatform(post);
    for (const name of post.platforms) {
      expect(Object.hasOwn(status, name)).toBe(true);
      expect(Object.getOwnPropertyDescriptor(status, name)?.value).toEqual({
        scheduled: null,
        published: null,
        error: null,
        ref: null,
      });
    }
    expect(Object.getPrototypeOf(status)).toBe(Object.prototype);
  });
});

describe('searchConsoleRows', () => {
  const figures = { clicks: 3, impressions: 30, ctr: 0.1, position: 4.2 };

  it('names the keys by the dimensions of the report', () => {
    const report = deepFreeze({
      dimensions: ['page', 'query'],
      rows: [
        { keys: ['/pain', 'levain'], ...figures },
        { keys: ['/', 'pain'], ...figures },
      ],
    });
    expect(searchConsoleRows(report)).toEqual([
      { page: '/pain', query: 'levain', ...figures },
      { page: '/', query: 'pain', ...figures },
    ]);
  });

  it('has only figures without dimensions, and omits a missing key', () => {
    expect(searchConsoleRows({ dimensions: [], rows: [{ keys: [], ...figures }] })).toEqual([figures]);
    expect(searchConsoleRows({ dimensions: ['query', 'date'], rows: [{ keys: ['pain'], ...figures }] })).toEqual([
      { query: 'pain', ...figures },
    ]);
    expect(searchConsoleRows({ dimensions: ['query'], rows: [] })).toEqual([]);
  });

  it('names unknown dimensions, keeps new fields of rows, and loses no figure', () => {
    const row = { keys: ['x', 'y'], ...figures, brand_new: 1 };
    expect(searchConsoleRows({ dimensions: ['hour', 'clicks'], rows: [row] })).toEqual([
      { hour: 'x', ...figures, brand_new: 1 },
    ]);
  });
});
