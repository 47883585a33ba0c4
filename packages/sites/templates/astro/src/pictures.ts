import { getImage } from 'astro:assets';
import { withoutEmptyFigures } from './journal.ts';

export interface Picture {
  src: string;
  srcset?: string;
  width?: number;
  height?: number;
}

const WIDTHS = [480, 800, 1200, 1600];
/** A picture is on several pages. */
const pictures = new Map<string, Promise<Picture | undefined>>();

/**
 * Returns the picture of an article. A build copies it to the site in several sizes. If the build cannot load it, readers
 * load it from its own address.
 */
export async function pictureOf(address: string | null | undefined): Promise<Picture | undefined> {
  if (!address) return undefined;
  if (import.meta.env.DEV) return asItIs(address);
  const picture = pictures.get(address) ?? copyOf(address);
  pictures.set(address, picture);
  return picture;
}

/** Returns a text, which `sanitize` has written, with the same pictures. Those that no page may show are left out. */
export async function withPictures(html: string): Promise<string> {
  const parts = html.split(/(<img [^>]*>)/).map((part, index) => (index % 2 ? withSizes(part) : part));
  return withoutEmptyFigures((await Promise.all(parts)).join(''));
}

async function withSizes(tag: string): Promise<string> {
  const { src, srcset, width, height } = (await pictureOf(attribute(tag, 'src')?.replaceAll('&amp;', '&'))) ?? {};
  if (!src) return '';
  const values = {
    src,
    srcset,
    sizes: srcset && '(min-width: 40rem) 38rem, 92vw',
    width: attribute(tag, 'width') ?? width,
    height: attribute(tag, 'height') ?? height,
    alt: attribute(tag, 'alt') ?? '',
    loading: 'lazy',
  };
  const written = Object.entries(values).filter(([, value]) => value !== undefined);
  return `<img ${written.map(([name, value]) => `${name}="${value}"`).join(' ')}>`;
}

const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1];

/** Over https, and in development also from the mock, which runs on this machine until a build ends. */
const asItIs = (address: string) =>
  /^https:/.test(address) || (import.meta.env.DEV && /^http:\/\/127\.0\.0\.1[:/]/.test(address))
    ? { src: address }
    : undefined;

async function copyOf(address: string): Promise<Picture | undefined> {
  const isDrawing = /\.svg$/i.test(address);
  // A drawing of others could have a script, which would be one of this site. Those of the mock have none.
  if (isDrawing && address.startsWith('https:')) return asItIs(address);
  try {
    const { src, srcSet, attributes } = await getImage({
      src: address,
      inferSize: true,
      ...(!isDrawing && { format: 'webp', widths: WIDTHS }),
    });
    const { width, height } = attributes;
    return { src, ...(srcSet.attribute && { srcset: srcSet.attribute }), width, height };
  } catch {
    return asItIs(address);
  }
}
