import { getImage } from 'astro:assets';
import { mayShow } from './sanitize';

export interface Picture {
  src: string;
  srcset?: string;
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

const asItIs = (address: string) => (mayShow(address) ? { src: address } : undefined);

async function copyOf(address: string): Promise<Picture | undefined> {
  const isDrawing = /\.svg$/i.test(address);
  // A drawing of others could have a script, which would be one of this site. Those of the mock have none.
  if (isDrawing && mayShow(address)) return asItIs(address);
  try {
    const { src, srcSet } = await getImage({
      src: address,
      inferSize: true,
      ...(!isDrawing && { format: 'webp', widths: WIDTHS }),
    });
    return { src, ...(srcSet.attribute && { srcset: srcSet.attribute }) };
  } catch {
    return asItIs(address);
  }
}
