import { getImage } from 'astro:assets';
import type { Article } from 'multilocal';
import { attributeOf, finished, imagesIn, noteMissing, webAddress } from './content.ts';

export interface Picture {
  src: string;
  srcset?: string;
  width?: number;
  height?: number;
}

const WIDTHS = [480, 800, 1200, 1600];
/** A picture is on several pages. */
const pictures = new Map<string, Promise<Picture | undefined>>();
/** The pictures that this build could not load, by the address in the article. */
const failed = new Set<string>();

/**
 * Returns the picture of an article. A build copies it to the site in several sizes. If the build cannot load it, readers
 * load it from its own address.
 */
export async function pictureOf(address: string | null | undefined): Promise<Picture | undefined> {
  if (!address) return undefined;
  const picture = pictures.get(address) ?? copyOf(address);
  pictures.set(address, picture);
  return picture;
}

/** Returns the text of an article with the same pictures, and notes those that it has lost. */
export async function textOf({ id, content_html, featured_image_url }: Article): Promise<string> {
  const html = content_html ?? '';
  const images = imagesIn(html);
  await pictureOf(featured_image_url);
  const tags = await Promise.all(images.map(async ({ tag, src }) => withSizes(tag, await pictureOf(src))));
  for (const address of [featured_image_url ?? '', ...images.map(({ src }) => src)]) {
    if (failed.has(address)) noteMissing(id, address);
  }
  return finished(html, tags);
}

function withSizes(tag: string, picture: Picture | undefined): string {
  if (!picture) return '';
  const { src, srcset, width, height } = picture;
  const values = {
    src: src.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    srcset,
    sizes: srcset && '(min-width: 40rem) 38rem, 92vw',
    width: attributeOf(tag, 'width') ?? width,
    height: attributeOf(tag, 'height') ?? height,
    alt: attributeOf(tag, 'alt') ?? '',
    id: attributeOf(tag, 'id'),
    loading: 'lazy',
  };
  const written = Object.entries(values).filter(([, value]) => value !== undefined);
  return `<img ${written.map(([name, value]) => `${name}="${value}"`).join(' ')}>`;
}

/** The pictures of the mock are on this machine, and only the pages of the mock show them. */
const isOfMock = (address: string) =>
  address.startsWith(`${process.env.MULTILOCAL_BASE_URL}/`) && address.startsWith('http://127.0.0.1:');

async function copyOf(address: string): Promise<Picture | undefined> {
  const src = isOfMock(address) ? address : webAddress(address);
  if (!src) failed.add(address);
  if (!src || import.meta.env.DEV) return src ? { src } : undefined;
  const isDrawing = /\.svg$/i.test(src);
  // A drawing of others could have a script, which would be one of this site. Those of the mock have none.
  if (isDrawing && src.startsWith('https:')) return { src };
  try {
    const image = await getImage({ src, inferSize: true, ...(!isDrawing && { format: 'webp', widths: WIDTHS }) });
    const { width, height } = image.attributes;
    return { src: image.src, ...(image.srcSet.attribute && { srcset: image.srcSet.attribute }), width, height };
  } catch {
    failed.add(address);
    return { src };
  }
}
