import { getImageProps } from 'next/image';
import { site } from '@/lib/site';

/** Over https, or a picture of the mock, see `scripts/sync.mjs`. */
const SHOWN = /^(?:https:|\/mock\/[\w-]+\.svg$)/;

/**
 * Returns a picture that a page may show. Next.js serves those of the hosts that you name in several sizes. Others come
 * from their own address.
 */
export function pictureOf(src: string | null | undefined, sizes: string) {
  if (!src || !SHOWN.test(src)) return undefined;
  const isNamed = URL.canParse(src) && site.pictureHosts.includes(new URL(src).hostname);
  const { props } = getImageProps({ src, alt: '', width: 1600, height: 1200, sizes, unoptimized: !isNamed });
  return { src: props.src, ...(props.srcSet && { srcSet: props.srcSet, sizes }) };
}
