import { createHash } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { create, type Font } from 'fontkitten';
import sharp from 'sharp';
import { decompress } from 'woff2-encoder';
import { directionOf, unbroken } from './journal.ts';
import { site } from './site.ts';

/** What networks show of a page that has no picture: its title on the accent, with the name of the brand. */
export const CARD = { width: 1200, height: 630 };

/** The weight of the headings. The file of a font may begin at another one. */
const WEIGHT = 500;

interface Look {
  /** The style sheet, whose first lines have the colours. */
  css: string;
  /** The file of the font. */
  font: Uint8Array;
  /** The logo as SVG. */
  logo?: string | undefined;
  /** The folder in which cards stay until the next build. */
  folder: string;
}

const EDGE = 80;
const LOGO = 64;
const WIDTH = CARD.width - 2 * EDGE;

/** Returns a colour of the light theme. */
export const colourOf = (css: string, name: string) =>
  new RegExp(`--${name}:\\s*(?:light-dark\\()?([^,;]+)`).exec(css)?.[1]?.trim() ?? '#777';

/** Returns a card as PNG. */
export async function drawCard(title: string, { css, font, logo, folder }: Look): Promise<Uint8Array<ArrayBuffer>> {
  const svg = cardOf(unbroken(title), css, await opened(font), logo);
  const file = join(folder, `${createHash('sha256').update(svg).digest('hex').slice(0, 20)}.png`);
  const kept = await readFile(file).catch(() => undefined);
  if (kept) return new Uint8Array(kept);
  const png = await sharp(Buffer.from(svg)).png().toBuffer();
  await mkdir(folder, { recursive: true });
  await writeFile(file, png);
  return new Uint8Array(png);
}

/** Returns the icon of the site as PNG. */
export async function drawIcon(svg: string | Uint8Array, size: number): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await sharp(Buffer.from(svg), { density: 600 }).resize(size, size).png().toBuffer());
}

function cardOf(title: string, css: string, font: Font, logo?: string): string {
  const { size, lines } = fitting(withoutEmojis(title, font) || site.name, font);
  const direction = directionOf(title);
  const [ground, ink] = [colourOf(css, 'accent'), colourOf(css, 'paper')];
  // The last line stands on the foot.
  const foot = CARD.height - EDGE - size * 0.2;
  const top = foot - 1.1 * size * (lines.length - 1);
  const drawn = lines.map((line, index) => drawText(line, font, size, top + 1.1 * size * index, direction));
  const sign = logo && `data:image/svg+xml;base64,${Buffer.from(logo).toString('base64')}`;
  const left = site.dir === 'rtl' ? CARD.width - EDGE - LOGO : EDGE;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${CARD.width}" height="${CARD.height}" fill="${ink}">
    <linearGradient id="light" x2="0.4" y2="1"><stop stop-color="#fff" stop-opacity=".14"/><stop offset=".7" stop-color="#fff" stop-opacity="0"/></linearGradient>
    <rect width="100%" height="100%" fill="${ground}"/><rect width="100%" height="100%" fill="url(#light)"/>
    ${sign ? `<rect x="${left - 6}" y="50" width="${LOGO + 12}" height="${LOGO + 12}" rx="14"/><image x="${left}" y="56" width="${LOGO}" height="${LOGO}" href="${sign}"/>` : ''}
    ${drawText(site.publisher, font, 36, 56 + LOGO / 2 + 12, site.dir, sign ? LOGO + 28 : 0)}${drawn.join('')}</svg>`;
}

/** To open a font takes longer than to draw a card. */
const fonts = new WeakMap<Uint8Array, Promise<Font>>();
function opened(file: Uint8Array): Promise<Font> {
  const font = fonts.get(file) ?? weighted(file);
  fonts.set(file, font);
  return font;
}

/** The font in the weight of the headings, as far as its file has weights. */
async function weighted(file: Uint8Array): Promise<Font> {
  // As it is packed, only its own weight can be drawn.
  const font = create(Buffer.from(await decompress(file))) as Font;
  const { wght, opsz } = font.variationAxes;
  if (!wght) return font;
  return font.getVariation({ wght: Math.min(Math.max(WEIGHT, wght.min), wght.max), ...(opsz && { opsz: opsz.max }) });
}

/** The largest size at which a title has its place. */
function fitting(title: string, font: Font) {
  for (const size of [92, 80, 68, 58]) {
    const lines = linesOf(title, font, size);
    if (lines.length * size * 1.1 <= 390) return { size, lines: balanced(title, font, size, lines) };
  }
  const lines = linesOf(title, font, 48);
  return { size: 48, lines: lines.length > 7 ? [...lines.slice(0, 6), `${lines[6]}…`] : lines };
}

/** The same number of lines, of about one length. No word is parted for it. */
function balanced(title: string, font: Font, size: number, lines: string[]): string[] {
  const narrower = (width: number) => linesOf(title, font, size, width);
  const isAsGood = (other: string[]) => other.length === lines.length && other.join(' ') === lines.join(' ');
  let width = WIDTH;
  while (width > WIDTH / 3 && isAsGood(narrower(width - 40))) width -= 40;
  return narrower(width);
}

function linesOf(text: string, font: Font, size: number, width = WIDTH): string[] {
  const fits = (line: string) => widthOf(line, font) * size <= width;
  const lines = [''];
  for (const word of text.split(/[ \n\t]+/)) {
    const longer = `${lines.at(-1)} ${word}`.trimStart();
    if (fits(longer)) lines[lines.length - 1] = longer;
    else if (fits(word)) lines.push(word);
    else lines.push(...partsOf(word, fits));
  }
  // The first line, if its word was parted.
  return lines.filter(Boolean);
}

/** The parts of a word that is longer than a line. */
function partsOf(word: string, fits: (part: string) => boolean): string[] {
  const parts = [''];
  for (const sign of word) {
    const longer = parts.at(-1) + sign;
    if (fits(longer)) parts[parts.length - 1] = longer;
    else parts.push(sign);
  }
  return parts;
}

const hasSign = (font: Font, sign: string) => font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
const hasSigns = (font: Font, text: string) => [...text].every((sign) => hasSign(font, sign));

/** Machines that build rarely have a font for emojis. Without one, each would be a box. */
const withoutEmojis = (title: string, font: Font) =>
  [...title]
    .filter((sign) => hasSign(font, sign) || !/\p{Emoji}|\u200d|\ufe0f/u.test(sign))
    .join('')
    .trim();

/** The width of a text, in units of its size. That of another font can only be guessed. */
function widthOf(text: string, font: Font): number {
  if (!hasSigns(font, text)) return [...text].reduce((sum, sign) => sum + (sign < '\u2e80' ? 0.65 : 1), 0);
  return font.glyphsForString(text).reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) / font.unitsPerEm;
}

/** A text as outlines: the machine that builds may have no fonts. Signs that the font does not have need one. */
function drawText(text: string, font: Font, size: number, y: number, direction: 'ltr' | 'rtl', indent = 0): string {
  if (!hasSigns(font, text)) {
    const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
    const start = direction === 'rtl' ? EDGE + WIDTH - indent : EDGE + indent;
    return `<text x="${start}" y="${y}" direction="${direction}" font-family="serif" font-size="${size}">${escaped}</text>`;
  }
  const start = direction === 'rtl' ? EDGE + WIDTH - indent - widthOf(text, font) * size : EDGE + indent;
  const scale = size / font.unitsPerEm;
  let x = 0;
  const outlines = font.glyphsForString(text).map(({ path, advanceWidth }) => {
    const outline = `<path transform="translate(${x})" d="${path.toSVG()}"/>`;
    x += advanceWidth;
    return outline;
  });
  return `<g transform="translate(${start} ${y}) scale(${scale} ${-scale})">${outlines.join('')}</g>`;
}
