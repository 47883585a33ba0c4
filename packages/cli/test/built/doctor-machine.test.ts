import { describe, expect, it } from 'vitest';
import { accountFindings } from '../../src/doctor/accounts.js';
import { keyFindings } from '../../src/doctor/key.js';
import { clockFinding, nodeFinding, proxyFinding } from '../../src/doctor/machine.js';

describe('nodeFinding', () => {
  it.each([
    ['20.19.0', 'ok'],
    ['24.1.0', 'ok'],
    ['20.9.0', 'warning'],
    ['18.20.1', 'warning'],
  ])('finds %s %s', (version, status) => {
    expect(nodeFinding(version, '>=20.19').status).toBe(status);
  });
});

describe('proxyFinding', () => {
  const env = { https_proxy: 'http://user:password@proxy.example.com' };

  it.each([
    ['20.20.2', {}, 'use Node 24 or later and set'],
    ['20.20.2', { NODE_USE_ENV_PROXY: '1' }, 'use Node 24 or later and set'],
    ['24.1.0', {}, 'needs the proxy, set'],
  ])('warns of Node %s with %o', (version, more, advice) => {
    const [finding] = proxyFinding({ ...env, ...more }, version);
    expect(finding?.advice?.[0]).toContain(advice);
    expect(JSON.stringify(finding)).not.toContain('password');
  });

  it('finds nothing if Node uses the proxy or there is none', () => {
    expect(proxyFinding({ ...env, NODE_USE_ENV_PROXY: '1' }, '24.1.0')).toEqual([]);
    expect(proxyFinding({ ...env, NODE_OPTIONS: '--use-env-proxy' }, '24.1.0')).toEqual([]);
    expect(proxyFinding({ HTTPS_PROXY: '' }, '20.20.2')).toEqual([]);
  });
});

describe('clockFinding', () => {
  const date = 'Sat, 21 Nov 2026 09:30:00 GMT';
  const read = (sent: number, received = sent) => {
    const service = Date.parse(date) + 500;
    return clockFinding({ date, sent: service + sent, received: service + received });
  };

  it('halves the round trip', () => {
    expect(read(0, 119_000)?.status).toBe('ok');
    expect(read(0, 121_000)?.status).toBe('warning');
  });

  it.each([
    [61_000, '1 minute ahead of'],
    [-180_000, '3 minutes behind'],
    [7_200_000, '2 hours ahead of'],
    [-3 * 86_400_000, '3 days behind'],
  ])('says that %i ms is %s', (skew, words) => {
    expect(read(skew)?.found[0]).toBe(`The clock of this machine is ${words} the clock of the service.`);
  });

  it('accepts a minute, and finds nothing without a date', () => {
    expect([read(60_000)?.status, read(-60_000)?.status]).toEqual(['ok', 'ok']);
    expect(clockFinding({ date: 'soon', sent: 0, received: 0 })).toBeUndefined();
  });
});

describe('accountFindings', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');
  const account = { platform: 'facebook', connected: true, needs_reconnect: false, name: 'Page', bulle_id: 'b1' };
  const page = 'Facebook "Page" of Lyon (bulle_id b1)';
  const lost = 'has lost its access: posts to it fail.';
  const ready = 'ok: 1 of 1 account can publish.';

  it.each<[object, string[]]>([
    [{}, [ready]],
    [{ expires_at: null }, [ready]],
    [{ expires_at: '2026-11-28T12:01:00' }, [ready]],
    [{ expires_at: '2026-11-28T11:59:00' }, [ready, `warning: The access to ${page} ends on 2026-11-28.`]],
    [{ expires_at: '2026-11-21T11:59:00' }, [`warning: ${page} ${lost}`]],
    [{ needs_reconnect: true }, [`warning: ${page} ${lost}`]],
    [{ connected: false }, [`warning: ${page} is not connected: posts to it fail.`]],
    [{ needs_reconnect: true, bulle_id: 'b2', name: null }, [`warning: Facebook of bulle_id b2 ${lost}`]],
    [
      { needs_reconnect: true, platform: 'mastodon', bulle_id: null },
      [`warning: Mastodon "Page" of the brand ${lost}`],
    ],
  ])('says of %o what it needs', (more, expected) => {
    const findings = accountFindings([{ ...account, ...more }], [{ id: 'b1', name: 'Lyon' }], now);
    expect(findings.map(({ status, found }) => `${status}: ${found[0]}`)).toEqual(expected);
  });
});

describe('keyFindings', () => {
  it('warns of limits that allow nothing', () => {
    const identity = {
      api_version: '2.0',
      bulle: { id: 'b1', name: 'Lyon' },
      sphere: { id: 's1', name: 'Brand' },
      permissions: ['read', 'schedule', 'publish', 'delete'],
      rate_limits: { per_minute: 0, per_day: 0 },
      connected_platforms: [],
      gmb_fiches: [],
    };
    expect(keyFindings(identity).map(({ check, status }) => [check, status])).toEqual([
      ['key', 'ok'],
      ['scope', 'ok'],
      ['permissions', 'ok'],
      ['limits', 'warning'],
    ]);
  });
});
