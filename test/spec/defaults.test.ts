// The sentences that name a default, and its copies where an import would cost users bytes, held against it.
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { TIMEOUT } from '../../src/core/call.js';
import { MAX_RETRIES } from '../../src/core/config.js';
import { ACCOUNTS_AGE } from '../../src/resources/posts-check.js';
import { POLL_INTERVAL } from '../../src/resources/reports-order.js';
import { LEASE } from '../../src/sync/lease.js';

const timeout = `${TIMEOUT / 1000} 000`;
const SENTENCES = `
README.md: sends a read up to ${['one', 'two', 'three', 'four', 'five'][MAX_RETRIES]} times
src/core/options.ts: Maximum number of retries. Default ${MAX_RETRIES}.
src/core/options.ts: Default ${timeout}, or
src/client.ts: \`timeout\` (${timeout} ms) and \`maxRetries\` (${MAX_RETRIES})
src/page/client.ts: \`timeout\` (${timeout} ms) and \`maxRetries\` (${MAX_RETRIES})
docs/guides/getting-started.md: timeout: ${TIMEOUT / 1000}_000,
docs/guides/getting-started.md: maxRetries: ${MAX_RETRIES},
docs/guides/getting-started.md: | \`timeout\` | ${TIMEOUT / 1000} s per attempt;
docs/guides/getting-started.md: | \`maxRetries\` | ${MAX_RETRIES},
docs/guides/rate-limits-and-budgets.md: connections of all locations for ${ACCOUNTS_AGE / 1000} s
docs/guides/rate-limits-and-budgets.md: 1 list every ${POLL_INTERVAL / 1000} s for all
docs/reliability.md: with the default \`maxRetries\` of ${MAX_RETRIES}.
docs/decisions/0023-sql-store.md: the clock of the database, ${LEASE / 1000} seconds
packages/stores/src/sql/cursor.ts: expires after ${LEASE / 1000} s
packages/stores/src/sql/statements.ts: LEASE_SECONDS = ${LEASE / 1000};
packages/stores/src/folder-lease.ts: LEASE = ${LEASE / 1000}_000;`;

it.each([...SENTENCES.matchAll(/^(\S+): (.+)$/gm)].map(([, file = '', text = '']) => [file, text]))(
  '%s says “%s”',
  (file, text) => expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(text),
);
