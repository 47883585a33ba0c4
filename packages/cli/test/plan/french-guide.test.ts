// cspell:ignore publier semaine Clé
// docs/guides/publier-une-semaine.md has a table that makes a plan, and commands that exist.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { planTable } from '@multilocal/campaigns/table';
import { root } from '@multilocal/test/docs/blocks';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { loadAll } from '../../src/commands/index.js';
import { readWords } from '../../src/flags.js';

const guide = readFileSync(join(root, 'docs/guides/publier-une-semaine.md'), 'utf8');

it('the table of the guide has a plan', () => {
  const [, csv = ''] = /^```csv\n(.*?)^```$/ms.exec(guide) ?? [];
  const { data } = Papa.parse<Record<string, string>>(csv, { header: true, skipEmptyLines: true });
  const locations = ['Lyon', 'Nantes'].map((city) => ({
    id: city === 'Lyon' ? 'bul_lyon_croix_rousse' : 'bul_nantes',
    name: city,
    city,
  }));
  const { plan, problems } = planTable(data, {
    name: 'semaine',
    zone: 'Europe/Paris',
    locations,
    dateOrder: 'dmy',
  });
  expect(problems).toEqual([]);
  expect(plan.actions.map(({ key }) => key)).toEqual(['semaine/lundi-nantes', 'semaine/mardi-lyon']);
  expect(plan.actions[0]?.params).toMatchObject({ content: 'Bûches jusqu’à 16 h à Nantes.' });
});

it('the commands of the guide exist, with their flags', async () => {
  const commands = new Map(await loadAll());
  const lines = [...guide.matchAll(/npx multilocal (\w+) ?([^`\n]*)/g)];
  expect(lines.length).toBeGreaterThan(4);
  for (const [, name = '', words = ''] of lines) {
    const command = commands.get(name as never);
    expect(command, name).toBeDefined();
    const raw = (words.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ''));
    if (command && raw.length > 0) readWords(name, command, raw);
  }
});
