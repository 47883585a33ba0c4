// The pictures that `npm run pictures` makes are those of today's code. Drawings are made again and compared. Of pictures of pages, what
// they were taken of is compared, not their pixels, which depend on Chromium and the fonts of a machine.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { inputs } from '../pictures/screens.js';
import { rehearsePicture } from '../pictures/terminal.js';
import { tracePicture } from '../pictures/trace.js';

const ADVICE = '`npm run pictures` makes the pictures of docs/images again';
const image = (name: string) => readFileSync(join(import.meta.dirname, '..', '..', 'images', name), 'utf8');
const taken = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'pictures', 'taken-of.json'), 'utf8'));

it('rehearse.svg shows what the command prints', async () => {
  expect(await rehearsePicture(), ADVICE).toBe(image('rehearse.svg'));
});

it('trace.svg has the spans of a sync, whatever their times', async () => {
  const spans = (svg: string) =>
    [...svg.matchAll(/<text class="(?:name|note)" x="\d+" y="\d+">([^<]+)</g)].map(([, text = '']) =>
      text.replace(/\d+ ms/, '… ms'),
    );
  expect(spans(await tracePicture()), ADVICE).toEqual(spans(image('trace.svg')));
});

it.each(['calendar', 'site'] as const)('the pictures of the %s are of what is there', async (name) => {
  expect(await inputs[name](), `${ADVICE}; -- ${name} makes this one`).toBe(taken[name]);
});
