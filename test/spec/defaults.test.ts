// The sentences that name a default, and its copies where an import would cost users bytes, held against it.
import { readFileSync } from 'node:fs';
import { BULLES } from '@multilocal/mock/settings';
import { PER_DAY } from '@multilocal/watch/options';
import { expect, it } from 'vitest';
import { SLOW_TIMEOUT, TIMEOUT } from '../../src/core/call.js';
import { MAX_RETRIES } from '../../src/core/config.js';
import { ACCOUNTS_AGE } from '../../src/resources/posts-check.js';
import { POLL_INTERVAL } from '../../src/resources/reports-order.js';
import { WAIT_TIMEOUT } from '../../src/resources/wait.js';
import { MAX_WAIT } from '../../src/stages/limiter.js';
import { LEASE } from '../../src/sync/lease.js';

const ms = (value: number) => `${value / 1000} 000`;
const timeout = ms(TIMEOUT);
const SENTENCES = `
README.md: an attempt has ${TIMEOUT / 1000} seconds, or ${SLOW_TIMEOUT / 1000} where
README.md: sends a read up to ${['one', 'two', 'three', 'four', 'five'][MAX_RETRIES]} times
src/core/options.ts: Maximum number of retries. Default ${MAX_RETRIES}.
src/core/options.ts: Default ${timeout}, or ${ms(SLOW_TIMEOUT)} for
src/core/endpoint.ts: An attempt then has ${SLOW_TIMEOUT / 1000} s instead of ${TIMEOUT / 1000} s.
src/stages/limiter.ts: delay it. Default ${ms(MAX_WAIT)}.
src/resources/articles.ts: (default ${ms(WAIT_TIMEOUT)})
src/resources/reports.ts: for at most \`timeout\` ms (default ${ms(WAIT_TIMEOUT)})
src/client.ts: \`timeout\` (${timeout} ms) and \`maxRetries\` (${MAX_RETRIES})
src/page/client.ts: \`timeout\` (${timeout} ms) and \`maxRetries\` (${MAX_RETRIES})
docs/guides/getting-started.md: timeout: ${TIMEOUT / 1000}_000,
docs/guides/getting-started.md: maxRetries: ${MAX_RETRIES},
docs/guides/getting-started.md: | \`timeout\` | ${TIMEOUT / 1000} s per attempt; ${SLOW_TIMEOUT / 1000} s where
docs/guides/getting-started.md: | \`maxRetries\` | ${MAX_RETRIES},
docs/guides/rate-limits-and-budgets.md: \`maxWait\` ${ms(MAX_WAIT)} ms
docs/guides/command-line.md: Default \`${MAX_WAIT / 60_000}m\`.
docs/guides/command-line.md: \`--per-day\` requests (default ${PER_DAY})
docs/guides/what-is-new.md: \`perDay\` (default ${PER_DAY})
docs/guides/rate-limits-and-budgets.md: connections of all locations for ${ACCOUNTS_AGE / 1000} s
docs/guides/rate-limits-and-budgets.md: 1 list every ${POLL_INTERVAL / 1000} s for all
docs/reliability.md: with the default \`maxRetries\` of ${MAX_RETRIES}.
docs/decisions/0023-sql-store.md: the clock of the database, ${LEASE / 1000} seconds
packages/cli/src/command.ts: (default: ${MAX_WAIT / 60_000}m)
packages/cli/src/front.ts: (${MAX_WAIT / 60_000} minutes without it)
packages/cli/src/commands/watch.ts: (default: ${PER_DAY})
packages/watch/src/options.ts: Default ${PER_DAY}.
packages/cli/src/commands/mock.ts: (default: ${BULLES})
packages/cli/src/mock/options.ts: flags.bulles, ${BULLES})
packages/stores/src/sql/cursor.ts: expires after ${LEASE / 1000} s
packages/stores/src/sql/statements.ts: LEASE_SECONDS = ${LEASE / 1000};
packages/stores/src/folder-lease.ts: LEASE = ${LEASE / 1000}_000;`;

it.each([...SENTENCES.matchAll(/^(\S+): (.+)$/gm)].map(([, file = '', text = '']) => [file, text]))(
  '%s says “%s”',
  (file, text) => expect(readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')).toContain(text),
);
