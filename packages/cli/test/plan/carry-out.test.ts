// What `rehearse --run` does between its rehearsal and its last request.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, post, social } from '@multilocal/plans/test/helpers';
import { createMockApi } from 'multilocal/mock/server';
import { afterEach, expect, it, vi } from 'vitest';
import { rehearse } from '../../src/commands/rehearse.js';
import { readWords } from '../../src/flags.js';
import { Output } from '../../src/output.js';

const SILENT = { write: () => true, on: () => SILENT, isTTY: false } as never;

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** A plan in a folder. `onRequest` is called after each response. */
function stage(
  actions: readonly object[],
  onRequest: (body: string, api: ReturnType<typeof createMockApi>) => unknown,
) {
  const api = createMockApi();
  vi.stubEnv('MULTILOCAL_API_KEY', api.keys.sphere);
  vi.stubEnv('MULTILOCAL_BASE_URL', api.baseUrl);
  vi.stubGlobal('fetch', async (input: RequestInfo, init?: RequestInit) => {
    const request = new Request(input, init);
    const body = request.method === 'POST' ? await request.clone().text() : '';
    const response = await api.handle(request);
    await onRequest(body, api);
    return response;
  });
  const plan = join(folder(), 'plan.json');
  writeFileSync(plan, JSON.stringify({ actions }));
  const run = (...flags: string[]) => {
    const raw = [plan, '--run', '--yes', ...flags];
    return rehearse.run({
      ...readWords('rehearse', rehearse, raw),
      output: new Output(true, SILENT, SILENT),
      signal: AbortSignal.any([stop.signal]),
    });
  };
  const stop = new AbortController();
  return { api, run, stop };
}

it('a twin that was made after the rehearsal stops a run with `--yes`, unless `--again` is set', async () => {
  let isMade = false;
  const { api, run } = stage([post('Un')], async (body) => {
    if (isMade || !body.includes('dry_run')) return;
    isMade = true;
    const headers = { 'x-api-key': api.keys.sphere, 'content-type': 'application/json' };
    const made = JSON.stringify(post('Un').params);
    await api.handle(new Request(`${api.baseUrl}/api/v2/posts`, { method: 'POST', headers, body: made }));
  });
  const posts = () => api.posts.all().filter(({ content }) => content === 'Un').length;
  await expect(run()).rejects.toThrow();
  expect(posts()).toBe(1);
  expect(await run('--again')).toBe(0);
  expect(posts()).toBe(2);
});

it('Ctrl-C with `--keep-going` says that something may have happened, wherever that is', async () => {
  const { run, stop } = stage([post('Un'), social, post('Trois')], (body, api) => {
    if (!body.includes('Trois')) return;
    if (!body.includes('dry_run')) stop.abort();
    api.fail({ operation: 'posts.create', status: 422, times: 1 });
    api.fail({ operation: 'social.publish', network: true });
  });
  await expect(run('--keep-going')).rejects.toMatchObject({ exitCode: 130, outcome: 'unknown' });
});
