import { getImageProps } from 'next/image';
import { site } from '@/lib/site';

/** Whether a page may show a picture: over https, or one of the mock, see `scripts/sync.mjs`. */
export const mayShow = (src: string | null | undefined) => /^(?:https:|\/mock\/[\w-]+\.svg$)/.test(src ?? '');

/** Next.js serves pictures of the hosts that you name in several sizes. Others come from their own address. */
export function pictureOf(src: string, sizes: string) {
  const isNamed = URL.canParse(src) && site.pictureHosts.includes(new URL(src).hostname);
  const { props } = getImageProps({ src, alt: '', width: 1600, height: 1200, sizes, unoptimized: !isNamed });
  return { src: props.src, ...(props.srcSet && { srcSet: props.srcSet, sizes }) };
}
