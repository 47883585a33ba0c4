import { describe, expect, it } from 'vitest';
import { run, startMock } from './support.js';

describe('the helpers of these tests', () => {
  it('run a command without a terminal', async () => {
    const { env } = await startMock();
    const { stdout, stderr, code } = await run(['whoami'], { env });
    expect([JSON.parse(stdout).bulle, stderr, code]).toEqual([null, '', 0]);
  });

  it('run a command in a terminal of any width', async () => {
    const { env } = await startMock();
    for (const columns of [70, 120]) {
      const { stdout, code } = await run(['whoami'], { env: { ...env, NO_COLOR: '1' }, tty: true, columns });
      expect(stdout).toMatch(/^brand {2,}/);
      expect(Math.max(...stdout.split('\n').map(({ length }) => length))).toBeLessThanOrEqual(columns);
      expect(code).toBe(0);
    }
  });

  it('pass on the exit code of a command in a terminal', async () => {
    expect(await run(['nothing'], { tty: true })).toMatchObject({ code: 2 });
  });
});
