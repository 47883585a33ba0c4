// A plan in a folder with its table, and the commands that show it, in this process.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder } from '@multilocal/plans/test/helpers';
import { createMockApi } from 'multilocal/mock';
import { vi } from 'vitest';
import { doctor } from '../../src/commands/doctor.js';
import { journal } from '../../src/commands/journal.js';
import { plan as make } from '../../src/commands/plan.js';
import { rehearse } from '../../src/commands/rehearse.js';
import { status } from '../../src/commands/status.js';
import { failureOf } from '../../src/failure.js';
import { readWords } from '../../src/flags.js';
import { TERMINAL } from '../../src/front.js';
import { Output } from '../../src/output.js';

export const LYON = 'bul_lyon_croix_rousse';
export const NANTES = 'bul_nantes_talensac';

/** A plan of so many posts, of which the first are of Nantes, in a folder with its table. */
export function stage(posts: number, ofNantes: number) {
  const api = createMockApi({ now: '2029-12-01T09:00:00Z' });
  const cwd = folder();
  const comment = join(cwd, 'comment.md');
  vi.stubEnv('MULTILOCAL_API_KEY', api.keys.sphere);
  vi.stubEnv('MULTILOCAL_BASE_URL', api.baseUrl);
  vi.stubEnv('GITHUB_ACTIONS', 'true');
  vi.stubEnv('GITHUB_WORKSPACE', cwd);
  vi.stubEnv('GITHUB_STEP_SUMMARY', join(cwd, 'summary.md'));
  vi.stubEnv('MULTILOCAL_LOG', undefined);
  vi.stubGlobal('fetch', (input: RequestInfo, init?: RequestInit) => api.handle(new Request(input, init)));
  const plan = join(cwd, 'plan.json');
  writeFileSync(join(cwd, 'semaine.csv'), 'Ville;Date\n');
  const actions = Array.from({ length: posts }, (_, index) => ({
    key: `semaine/${index}`,
    source: `semaine.csv:${index + 2}`,
    operation: 'posts.create',
    params: {
      bulle_id: index < ofNantes ? NANTES : LYON,
      platforms: ['facebook'],
      content: `Texte ${index}`,
      scheduled_at: new Date(Date.UTC(2029, 11, 2, 8 + 6 * index)).toISOString(),
    },
  }));
  const write = (some: readonly object[]) => writeFileSync(plan, JSON.stringify({ name: 'semaine', actions: some }));
  write(actions);
  const text = { out: '' };
  const print = (part: string) => {
    text.out += part;
    return true;
  };
  const stream = { write: print, on: () => {}, isTTY: false } as never;
  const go = async (name: 'doctor' | 'journal' | 'plan' | 'rehearse' | 'status', ...flags: string[]) => {
    const command = { doctor, journal, plan: make, rehearse, status }[name];
    const limits = ['--per-minute=9999', '--per-day=9999'];
    const raw = {
      doctor: limits,
      journal: [plan],
      plan: limits,
      rehearse: [plan, `--report=markdown=${comment}`, ...limits],
      status: [plan, `--report=markdown=${comment}`, ...limits],
    }[name];
    text.out = '';
    const output = new Output(false, stream, stream);
    output.speak(flags.findLast((one) => one.startsWith('--locale='))?.slice('--locale='.length));
    const run = async () => {
      const words = readWords(name, command, [...raw, ...flags]);
      return command.run({ ...words, output, signal: new AbortController().signal });
    };
    const thrown = await run().catch((error: unknown) => error);
    const failure = typeof thrown === 'number' ? undefined : failureOf(thrown, TERMINAL, output.locale);
    return { shown: text.out.replaceAll(cwd, '/w'), ...failure, comment: read(comment).replaceAll(cwd, '/w') };
  };
  const read = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');
  return { api, cwd, go, actions, write, summary: () => read(join(cwd, 'summary.md')).replaceAll(cwd, '/w') };
}
