import { launchOptions } from '@multilocal/scripts/services';
import { type Browser, chromium } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calendarOf, planTable } from '../../src/index.js';

let browser: Browser;
beforeAll(async () => {
  browser = await chromium.launch(launchOptions());
});
afterAll(() => browser.close());

it('has three texts for 40 locations on two sheets of A4, and nothing beyond the edge of a phone', async () => {
  const locations = Array.from({ length: 40 }, (_, index) => {
    const city = `Ville-sur-Mer-${index}`;
    return { id: `bul_${index}`, name: `Les Fournils d'Augustine – ${city} Centre`, city };
  });
  const texts = [
    'Cette semaine à {{city}}, le pain de seigle : une croûte épaisse et une mie qui se garde cinq jours.',
    'Jeudi, c’est galette ! Réservez la vôtre chez {{name}} avant samedi midi.',
    'Le 24 décembre, nous fermons à 16 h. Joyeuses fêtes à {{city}} !',
  ];
  const rows = texts.flatMap((Texte, day) =>
    locations.map(({ id }) => ({ Lieu: id, Date: `2026-12-2${day}`, Heure: '9h', Réseaux: 'Facebook, Google', Texte })),
  );
  const { plan, problems } = planTable(rows, { name: 'semaine', zone: 'Europe/Paris', locations });
  expect(problems).toEqual([]);
  const looks = {
    brand: 'Les Fournils d’Augustine',
    client: 'Léa',
    approve: 'lea@agence.example',
    locale: 'fr',
  } as const;
  const page = await browser.newPage({ viewport: { width: 390, height: 800 } });
  await page.setContent(calendarOf(plan, { format: 'html', zone: 'Europe/Paris', locations, ...looks }));
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const pdf = await page.pdf({ format: 'A4', preferCSSPageSize: true });
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page[^s]/g)).toHaveLength(2);
});
