import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { closedPort, sendJson, serve } from '@multilocal/test/support/server';
import type { MockServerOptions } from 'multilocal/mock/server';
import { describe, expect, it } from 'vitest';
import type { ContractReport } from '../../../src/contract/print.js';
import { run, startMock, temporaryFolder } from '../support.js';

const BULLE = 'bul_lyon_croix_rousse';
const OUT = ['--out', 'multilocal.contract.json'];
const PROBE = ['--probe-dry-run', `bulle_id=${BULLE}`];

/** Each check of a contract costs half a minute's requests, and the tests do several. */
const rateLimit = { perMinute: 1000, perDay: 10_000 };

/** A mock and a folder of its own. */
async function stage(options: MockServerOptions = {}) {
  const cwd = temporaryFolder();
  const { env, api } = await startMock({ rateLimit, ...options });
  const file = join(cwd, 'multilocal.contract.json');
  const doctor = async (...flags: string[]) => {
    const result = await run(['doctor', '--contract', ...flags], { cwd, env: { ...env, GITHUB_ACTIONS: 'true' } });
    return { ...result, report: JSON.parse(result.stdout) as ContractReport };
  };
  return { api, cwd, doctor, env, file, read: () => JSON.parse(readFileSync(file, 'utf8')) };
}

describe('doctor --contract', () => {
  it('says for each read and each fact what it found', async () => {
    const { env } = await startMock({ crooked: ['ids-as-strings', 'default-status'] });
    const { stdout, code } = await run(['doctor', '--contract', '--no-json'], { env });
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✔ ok +posts\.list$/m);
    expect(stdout).toMatch(/^✖ drift +sites\.list +\[\]\.id must be an integer; received a string$/m);
    expect(stdout).toMatch(/^– skipped +social\.get +no read shows/m);
    expect(stdout).toMatch(/^ +▲ A list of articles without `status` has drafts/m);
    expect(stdout).toMatch(/^1 read of the service is not as this version expects\. \(31 requests\)$/m);
  });

  it('writes a file, and says with it what changed since', async () => {
    const { api, doctor, env, cwd } = await stage();
    const good = { code: 0, report: { ok: true, changes: [] } };
    for (let round = 0; round < 2; round++) expect(await doctor(...OUT)).toMatchObject(good);
    const [report] = (await api
      .handle(`${env.MULTILOCAL_BASE_URL}/api/v2/reports`, {
        headers: { 'X-API-Key': api.keys.sphere },
      })
      .then((response) => response.json())) as object[];
    api.fail({ operation: 'reports.list', status: 200, body: [{ ...report, csv_url: undefined, pages: 3 }] });
    const changed = await doctor(...OUT);
    expect(changed).toMatchObject({ code: 1, report: { ok: false } });
    expect(changed.report.changes.map(({ path }) => path)).toEqual(['[].csv_url', '[].pages']);
    expect(changed.stderr).toContain(
      '::warning file=multilocal.contract.json::reports.list [].pages: was absent, is integer',
    );
    const other = await startMock();
    const wrong = await run(['doctor', '--contract', ...OUT], { cwd, env: other.env });
    expect(wrong).toMatchObject({ code: 2, stdout: expect.stringContaining('belongs to another address') });
  });

  it('ends with 3 if a read failed for a reason that passes', async () => {
    const { api, doctor } = await stage();
    api.fail({ operation: 'gmb.metrics', status: 503 });
    expect(await doctor()).toMatchObject({ code: 3, report: { ok: false } });
  });

  it.each([
    ['a dead port', closedPort, 3, 'connection'],
    ['a web server', () => serve((_, response) => response.end('<h1>Bonjour</h1>')).then(({ url }) => url), 1, ''],
    [
      'another service',
      () => serve((_, response) => sendJson(response, { status: 'up' })).then(({ url }) => url),
      1,
      '',
    ],
  ])('says what is wrong with %s', async (_, start, code, error) => {
    const env = { MULTILOCAL_BASE_URL: await start(), MULTILOCAL_API_KEY: 'mlk_of_this_test' };
    const result = await run(['doctor', '--contract'], { env });
    expect(result.code).toBe(code);
    expect(result.stdout).toContain(error);
    expect(result.stdout + result.stderr).not.toContain('mlk_of_this_test');
  });
});

describe('doctor --contract --probe-dry-run', () => {
  const writes = (api: Awaited<ReturnType<typeof stage>>['api']) =>
    api.requests
      .filter(({ method }) => method !== 'GET')
      .map(({ method, path }) => `${method} ${path.replace(/.*v2/, '')}`);

  it('previews a post, and a social publication only if it is allowed to', async () => {
    const { api, doctor, read } = await stage();
    const first = await doctor(...OUT, ...PROBE);
    expect(first).toMatchObject({
      code: 0,
      report: { dry_run: { 'posts.create': 'honoured', 'posts.publish': 'honoured' } },
    });
    expect(writes(api)).toEqual(['POST /posts']);
    await doctor(...OUT, ...PROBE, '--yes');
    expect(read().dry_run).toEqual({
      'posts.create': 'honoured',
      'posts.publish': 'honoured',
      'social.publish': 'honoured',
    });
    await doctor(...OUT);
    expect(read().dry_run['social.publish']).toBe('honoured');
  });

  it('deletes what an ignored dry run has made, and rehearse then sends none', async () => {
    const { api, cwd, doctor, env } = await stage({ crooked: ['dry-run-ignored'] });
    const { code, stderr } = await doctor(...OUT, ...PROBE, '--yes');
    expect(code).toBe(1);
    expect(stderr).toContain('It was deleted.');
    expect(writes(api)).toEqual(['POST /posts', expect.stringMatching(/^DELETE \/posts\/\d+$/)]);
    const params = { bulle_id: BULLE, content: 'Bonjour', platforms: ['facebook'] };
    writeFileSync(join(cwd, 'plan.json'), JSON.stringify({ actions: [{ operation: 'posts.create', params }] }));
    const rehearsed = await run(['rehearse', 'plan.json'], { cwd, env });
    expect(JSON.parse(rehearsed.stdout).actions).toMatchObject([{ state: 'unpreviewed' }]);
    expect(writes(api)).toHaveLength(2);
  });
});
