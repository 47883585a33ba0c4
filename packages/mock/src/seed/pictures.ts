import { type Folder, file } from '../engine/http.js';
import { drawingOf } from './drawings.js';
import { cycle, saltOf, slugify } from './prose.js';

/** Ground, main, deep and light. */
const PALETTES = [
  { g: '#e9c98f', m: '#c26a2b', d: '#6f3214', l: '#fbeccb' },
  { g: '#b9c3a3', m: '#d08a3e', d: '#4c5a3b', l: '#f3ead0' },
  { g: '#d9795a', m: '#f0bd72', d: '#7c2f1e', l: '#fbe6c6' },
  { g: '#a9bcc0', m: '#c9773a', d: '#34525c', l: '#f4ead6' },
  { g: '#5a3a2a', m: '#d99648', d: '#2f1c12', l: '#f2ddb4' },
] as const;

/** The address of a picture. Its name says what to draw, so nothing has to be stored. */
export const pictureOf = (files: string, subject: string, number: number): string =>
  `${files}/pictures/${/^.{0,60}(?=-|$)/.exec(slugify(subject))?.[0] ?? ''}-${number}.svg`;

/** Draws the subject of a name. The number selects the palette, and every third drawing is mirrored. */
export const pictures: Folder = (_, name) => {
  const [, subject = '', digits] = /^([a-z\d-]*)-(\d+)\.svg$/.exec(name) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  const colours = cycle(PALETTES, number);
  const shapes = drawingOf(subject).replace(
    /([@$])([gmdl])/g,
    (_, kind, colour: keyof typeof colours) => ` ${kind === '@' ? 'fill' : 'stroke'}="${colours[colour]}"`,
  );
  const mirror = number % 3 === 0 ? ' transform="matrix(-1 0 0 1 400 0)"' : '';
  return svg('0 0 400 300', 1200, 900, `<path fill="${colours.g}" d="M0 0h400v300H0z"/><g${mirror}>${shapes}</g>`);
};

/** The photo of a reviewer: a bust in the colours that belong to the name. */
export const avatars: Folder = (_, name) => {
  const { d, l } = cycle(PALETTES, saltOf(name));
  const bust = `<g fill="${l}"><circle cx="40" cy="32" r="15"/><path d="M12 80c0-19 12-29 28-29s28 10 28 29Z"/></g>`;
  return svg('0 0 80 80', 160, 160, `<path fill="${d}" d="M0 0h80v80H0z"/>${bust}`);
};

const svg = (viewBox: string, width: number, height: number, shapes: string) =>
  file(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${viewBox}" width="${width}" height="${height}">${shapes}</svg>`,
    'image/svg+xml',
  );
