import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { testArticleStore } from '../../src/mock/index.js';
import { sqlStore } from '../../src/sql/index.js';
import { openPglite, pgliteDriver } from './databases.js';

let db: PGlite;
let brands = 0;
beforeAll(async () => {
  db = await openPglite();
});
afterAll(() => db.close());

describe('sqlStore on PGlite', () => {
  it('is an article store', async () => {
    await testArticleStore(() => sqlStore({ ...pgliteDriver(db), brand: `brand ${brands++}` }));
  });

  it('is an article store without transactions', async () => {
    const { query } = pgliteDriver(db);
    await testArticleStore(() => sqlStore({ query, dialect: 'postgres', brand: `brand ${brands++}` }));
  });
});
