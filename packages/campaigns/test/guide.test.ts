// docs/guides/campaigns.md shows a campaign and rows that fit together. test/docs runs its programs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@multilocal/test/docs/blocks';
import Papa from 'papaparse';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { planCampaign } from '../src/index.js';

const guide = readFileSync(join(root, 'docs/guides/campaigns.md'), 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'ms').exec(guide)?.[1] ?? '';

it('the campaign of the guide has a plan', () => {
  const { data } = Papa.parse<{ bulle_id: string }>(block('csv'), { header: true, skipEmptyLines: true });
  const locations = ['bul_saint_denis', ...data.map(({ bulle_id }) => bulle_id)].map((id) => ({
    id,
    name: id,
    city: 'Lyon',
  }));
  const { plan, problems } = planCampaign(parse(block('yaml')), locations, data);
  expect(problems).toEqual([]);
  expect(plan.actions.map(({ params }) => Object(params).content)).toEqual([
    'bul_lyon_croix_rousse ferme à 15 h le 24 décembre. Joyeuses fêtes à Lyon !',
    'bul_nantes_talensac ferme à 16 h le 24 décembre. Joyeuses fêtes à Lyon !',
  ]);
});
