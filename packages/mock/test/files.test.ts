import { Client, type Report } from 'multilocal';
import Papa from 'papaparse';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMockApi, type MockControl } from '../src/index.js';
import { startMockServer } from '../src/server.js';
import { call, callList, NOW, send } from './helpers.js';

/** Every address of a file of the mock in a value, in texts too. */
const addressesIn = (api: MockControl, value: unknown): string[] => [
  ...new Set(JSON.stringify(value).match(new RegExp(`${api.baseUrl}/files/[^"\\\\]+`, 'g'))),
];

const TYPES: Readonly<Record<string, string>> = {
  svg: 'image/svg+xml',
  pdf: 'application/pdf',
  csv: 'text/csv; charset=utf-8',
};

describe('the files of the seed', () => {
  test('load, without a key, and have the type of their name', async () => {
    const api = createMockApi({
      now: NOW,
      baseUrl: 'https://shop.test/tenant',
      rateLimit: { perMinute: 2, perDay: 2 },
    });
    const reports = await (await send(api, 'GET /reports')).json();
    const addresses = addressesIn(api, [api.snapshot(), reports]);
    // Covers, pictures in texts and of posts, photos of reviewers, reports.
    expect(addresses.length).toBeGreaterThan(400);
    for (const address of addresses) {
      const response = await api.handle(address);
      expect([address, response.status]).toEqual([address, 200]);
      expect(response.headers.get('content-type')).toBe(TYPES[address.split('.').at(-1) ?? '']);
      if (address.endsWith('.svg'))
        expect(await response.text()).toMatch(/^<svg xmlns="[^"]+" viewBox="[^"]+" .+<\/svg>$/);
    }
    expect((await send(api, 'GET /me')).status).toBe(200);
  });

  test.each([
    ...['GET /files/pictures/pizza.svg', 'GET /files/pictures/pizza-1.png', 'GET /files/pictures/'],
    ...['GET /files/reports/nothing.pdf', 'GET /files/uploads/nothing.png', 'GET /files/__proto__/pizza-1.svg'],
    ...['POST /files/pictures/pizza-1.svg', 'GET /api/v2/files/pictures/pizza-1.svg'],
  ])('%s: 404', async (line) => {
    const api = createMockApi({ now: NOW });
    const [method = '', path = ''] = line.split(' ');
    expect((await api.handle(api.baseUrl + path, { method })).status).toBe(404);
  });
});

describe('reports', () => {
  /** Fetches the files of a report through the client, which must not send its key there. */
  async function filesOf(api: MockControl, client: Client, report: Report) {
    const pdf = await client.reports.download(report);
    const csv = await client.reports.download(report, { format: 'csv' });
    const sent = api.requests.slice(-2);
    expect(sent.map(({ path, status }) => [path.replace(/\w+\./, ''), status])).toEqual([
      ['/files/reports/pdf', 200],
      ['/files/reports/csv', 200],
    ]);
    expect(sent.filter(({ headers }) => 'x-api-key' in headers)).toEqual([]);
    return { pdf: await pdf.text(), csv: await csv.text() };
  }

  test('load from a server, at addresses with its port', async () => {
    const { url, api, close } = await startMockServer({ now: NOW });
    onTestFinished(close);
    const [report] = await callList(api, 'GET /reports');
    const address = String(report?.pdf_url);
    expect(address.slice(0, url.length)).toBe(url);
    const response = await fetch(address);
    expect([response.headers.get('content-type'), (await response.text()).slice(0, 5)]).toEqual([TYPES.pdf, '%PDF-']);
  });

  test('show the figures of the listings, day by day and as sums', async () => {
    const api = createMockApi({ now: NOW });
    const { keys, baseUrl, handle } = api;
    const client = new Client({ apiKey: keys.sphere, baseUrl, fetch: handle });
    const fiche_ids = [api.ids.fiche, api.ids.otherFiche] as const;
    const report_name = 'Été (2026) \\ « œuvre » 😀';
    const changes = [{ field: 'name', value: 'Augustine, "Lyon"' }] as const;
    await client.gmb.optimizer.apply({ fiche_id: api.ids.fiche, changes });
    const period = { date_start: '2026-10-20', date_end: '2026-11-30' };
    await client.reports.create({ type: 'combine', fiche_ids, ...period, report_name });
    api.advance(120_000);
    const [report] = await client.reports.list();
    expect(report?.report_name).toBe(report_name);
    const { pdf, csv } = await filesOf(api, client, report as Report);

    const { data, errors } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
    expect(errors).toEqual([]);
    // Until today, which is 14 November.
    expect(data).toHaveLength(2 * 26);
    const lyon = data.filter(({ fiche }) => fiche === 'Augustine, "Lyon"');
    expect(lyon.map(({ jour }) => jour)).toEqual(data.slice(26).map(({ jour }) => jour));
    const { kpis } = await client.gmb.metrics({ fiche_id: api.ids.fiche, period_days: 26 });
    const sum = (rows: typeof data, name: string) => rows.reduce((total, row) => total + Number(row[name]), 0);
    expect(sum(lyon, 'appels')).toBe(kpis.calls);
    expect(sum(lyon, 'vues_recherche') + sum(lyon, 'vues_maps')).toBe(kpis.views_total);

    const [title, subject, days, , ...lines] = textsOf(pdf);
    expect([title, subject, days]).toEqual(['Été (2026) \\ « \x9cuvre » ?', '2 fiches', 'Du 20/10/2026 au 30/11/2026']);
    const columns = ['vues_recherche', 'vues_maps', 'appels', 'clics_site', 'itineraires'];
    const figures = lines.slice(0, 5).map((line) => Number(line.replace(/\D/g, '')));
    expect(figures).toEqual(columns.map((name) => sum(data, name)));
  });

  test('are PDF documents whose table of offsets is right', async () => {
    const api = createMockApi({ now: NOW });
    const pdf = await (await api.handle(String((await callList(api, 'GET /reports'))[0]?.pdf_url))).text();
    const at = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(pdf)?.[1]);
    expect(pdf.slice(at)).toMatch(/^xref\n0 5\n0000000000 65535 f \n(\d{10} 00000 n \n){4}trailer\n/);
    const offsets = [...pdf.slice(at).matchAll(/(\d{10}) 00000 n/g)].map(([, offset]) => Number(offset));
    for (const [index, offset] of offsets.entries())
      expect(pdf.slice(offset)).toMatch(new RegExp(`^${index + 1} 0 obj`));
    const [, length, content] = /<< \/Length (\d+) >>\nstream\n([\s\S]*)\nendstream/.exec(pdf) ?? [];
    expect(content).toHaveLength(Number(length));
  });
});

/** The texts of the page of a PDF. */
const textsOf = (pdf: string): string[] =>
  [...pdf.matchAll(/\((.*)\) Tj/g)].map(([, text = '']) =>
    text.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8))),
  );

describe('images', () => {
  const GIF = 'R0lGODlhAQABAAAAACw=';

  test('that were uploaded come back, and those by address lead to it', async () => {
    const api = createMockApi({ now: NOW });
    const upload = async (body: object) => String((await call(api, 'POST /images/upload', { body })).body.image_url);
    const sent = await api.handle(await upload({ image_base64: `data:image/png;base64,${GIF}` }));
    expect(sent.headers.get('content-type')).toBe('image/gif');
    expect(Buffer.from(await sent.arrayBuffer()).toString('base64')).toBe(GIF);
    const linked = await api.handle(await upload({ url: 'https://pictures.example/é.png' }));
    expect([linked.status, linked.headers.get('location')]).toEqual([302, 'https://pictures.example/%C3%A9.png']);
  });
});
