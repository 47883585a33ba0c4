import type { Article } from 'multilocal';
import { getImageProps } from 'next/image';
import { attributeOf, finished, imagesIn, missingReport, noteMissing, webAddress } from '@/lib/content';
import { sanitize } from '@/lib/sanitize';
import { site } from '@/lib/site';

/** A picture of the mock, see `scripts/sync.mjs`. */
const OF_MOCK = /^\/mock\/[\w-]+\.svg$/;

/**
 * Returns a picture that a page may show. Next.js serves those of the hosts that you name in several sizes. Others come
 * from their own address.
 */
export function pictureOf(address: string | null | undefined, sizes: string) {
  const src = address && OF_MOCK.test(address) ? address : webAddress(address);
  if (!src) return undefined;
  const isNamed = URL.canParse(src) && site.pictureHosts.includes(new URL(src).hostname);
  const { props } = getImageProps({ src, alt: '', width: 1600, height: 1200, sizes, unoptimized: !isNamed });
  return { src: props.src, ...(props.srcSet && { srcSet: props.srcSet, sizes }) };
}

/** Returns the text of an article: safe, with its pictures. */
export function textOf({ content_html }: Article): string {
  const html = sanitize(content_html ?? '');
  return finished(
    html,
    imagesIn(html).map(({ tag, src }) => withSizes(tag, src)),
  );
}

function withSizes(tag: string, address: string): string {
  const picture = pictureOf(address, '(min-width: 40rem) 38rem, 92vw');
  if (!picture) return '';
  const { srcSet, ...others } = picture;
  const values = {
    ...others,
    srcset: srcSet,
    width: attributeOf(tag, 'width'),
    height: attributeOf(tag, 'height'),
    alt: attributeOf(tag, 'alt') ?? '',
    id: attributeOf(tag, 'id'),
    loading: 'lazy',
  };
  const escaped = (name: string, value: string) =>
    name === 'alt' || name === 'id' ? value : value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
  const written = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : ` ${name}="${escaped(name, value)}"`,
  );
  return `<img${written.join('')}>`;
}

/** Says which pictures no page can show (without an address, or without https), and which hosts nobody has named. */
export function reportPictures(articles: readonly Article[]): void {
  const unnamed = new Set<string>();
  for (const { id, content_html, featured_image_url } of articles) {
    const addresses = imagesIn(sanitize(content_html ?? '')).map(({ src }) => src);
    for (const address of featured_image_url ? [featured_image_url, ...addresses] : addresses) {
      const picture = pictureOf(address, '');
      if (!picture) noteMissing(id, address);
      else if (!picture.srcSet && URL.canParse(picture.src)) unnamed.add(new URL(picture.src).hostname);
    }
  }
  const report = missingReport();
  if (report) console.warn(report);
  const hosts = [...unnamed].slice(0, 5).join(', ');
  if (hosts)
    console.warn(`Phones load full-size pictures of ${hosts}. Name hosts of yours in \`pictureHosts\` of lib/site.ts.`);
}
