// Makes the pictures below, for docs/images: `npm run pictures` all, `npm run pictures -- rehearse trace` some. Those of pages need Chromium and,
// for the site, npm and minutes. docs/site/test/pictures.test.ts finds those that are not of today's code.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { calendarPictures, inputs, sitePictures } from './screens.js';
import { rehearsePicture } from './terminal.js';
import { tracePicture } from './trace.js';

const folder = join(import.meta.dirname, '..', '..', 'images');
const makers: Readonly<Record<string, () => Promise<Record<string, string | Buffer>>>> = {
  rehearse: async () => ({ 'rehearse.svg': await rehearsePicture() }),
  trace: async () => ({ 'trace.svg': await tracePicture() }),
  calendar: calendarPictures,
  site: sitePictures,
};

const wanted = process.argv.slice(2);
for (const name of wanted.length > 0 ? wanted : Object.keys(makers)) {
  const make = makers[name];
  if (!make) throw new Error(`Not a picture: ${name}. There are ${Object.keys(makers).join(', ')}.`);
  console.log(`${name} …`);
  for (const [file, content] of Object.entries(await make())) {
    writeFileSync(join(folder, file), content);
    console.log(`  docs/images/${file}: ${(content.length / 1000).toFixed(1)} kB`);
  }
  if (name in inputs) await note(name as keyof typeof inputs);
}

/** Notes what a picture was taken of. */
async function note(name: keyof typeof inputs): Promise<void> {
  const list = join(import.meta.dirname, 'taken-of.json');
  const taken = { ...JSON.parse(readFileSync(list, 'utf8')), [name]: await inputs[name]() };
  writeFileSync(list, `${JSON.stringify(taken, null, 2)}\n`);
}
