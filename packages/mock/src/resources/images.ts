import * as z from 'zod/mini';
import { file, ok, type Reply, unprocessable } from '../engine/http.js';
import { defineResource, route } from '../engine/router.js';
import { bodyTarget, isHttpUrl, text } from '../engine/schema.js';
import { on, targetBulle, writing } from '../engine/scope.js';
import type { Service } from '../engine/store.js';
import { avatars, pictureOf, pictures } from '../seed/pictures.js';
import { letters, saltOf } from '../seed/prose.js';

/** An uploaded image. The mock keeps what it was sent, and of an image by address only the address. */
type Upload = { readonly name: string } & (
  | { readonly base64: string; readonly format: string }
  | { readonly url: string }
);

/** The number of generated images, and the uploaded ones. */
const imagesSlice = { name: 'images', seed: () => ({ generated: 0, uploads: [] as Upload[] }) };

const MAX_BYTES = 8 * 1024 * 1024;
/** The extensions of each format, and its first bytes, one character each. */
const FORMATS = [
  { format: 'jpeg', extension: /\.jpe?g$/i, head: /^\xff\xd8\xff/ },
  { format: 'png', extension: /\.png$/i, head: /^\x89PNG\r\n.\n/ },
  { format: 'webp', extension: /\.webp$/i, head: /^RIFF[\s\S]{4}WEBP/ },
  { format: 'gif', extension: /\.gif$/i, head: /^GIF8[79]a/ },
];
const WRONG_FORMAT = "L'image doit être au format JPEG, PNG, WebP ou GIF.";

const source = z
  .object({ url: z.optional(z.string()), image_base64: z.optional(z.string()) })
  .check(
    z.refine(
      ({ url, image_base64 }) => (url === undefined) !== (image_base64 === undefined),
      "Envoyez soit `url`, soit `image_base64` : l'un des deux, jamais les deux.",
    ),
  );

/** POST /images/upload: an image from one of two sources. */
const upload = writing(on.nothing, source, ({ store, files }, { url, image_base64 = '' }) => {
  const { format, size_bytes, kept } = url === undefined ? decode(image_base64) : fetched(url);
  const { uploads } = store.get(imagesSlice);
  const name = `${letters(uploads.length, 16)}.${format}`;
  uploads.push({ name, ...kept });
  return ok({ uploaded: true, image_url: `${files}/uploads/${name}`, size_bytes, format });
});

/** The uploaded bytes. For an image by address, a redirect to it. */
function serveUpload({ store }: Service, name: string): Reply | undefined {
  const found = store.get(imagesSlice).uploads.find((image) => image.name === name);
  if (found === undefined) return undefined;
  if ('url' in found) return { status: 302, headers: { location: new URL(found.url).href } };
  const bytes = Uint8Array.from(atob(found.base64), (sign) => sign.charCodeAt(0));
  return file(bytes, `image/${found.format}`);
}

/** The format comes from the first bytes, not from the data URI. The size is the decoded image's. */
function decode(dataUri: string) {
  const [, base64] = /^data:[^,]*;base64,([a-z0-9+/]*={0,2})$/i.exec(dataUri) ?? [];
  if (base64 === undefined || base64.length % 4 !== 0) {
    throw unprocessable('Le champ `image_base64` doit être une URI de données (data:image/…;base64,…).');
  }
  const size_bytes = (base64.length / 4) * 3 - (base64.length - base64.replace(/=+$/, '').length);
  const bytes = atob(base64.slice(0, 24));
  const found = FORMATS.find(({ head }) => head.test(bytes));
  if (found === undefined) throw unprocessable(`${WRONG_FORMAT} Vérifiez le champ \`image_base64\`.`);
  if (size_bytes > MAX_BYTES) throw unprocessable('Le champ `image_base64` ne doit pas dépasser 8 Mo.');
  return { format: found.format, size_bytes, kept: { base64, format: found.format } };
}

/** The mock does not fetch the image. The extension of the file name decides its format, and the default is JPEG. */
function fetched(url: string) {
  if (!isHttpUrl(url)) throw unprocessable('Le champ `url` doit être une adresse http:// ou https://.');
  const { pathname } = new URL(url);
  const found = FORMATS.find(({ extension }) => extension.test(pathname));
  if (found === undefined && /\.\w+$/.test(pathname)) throw unprocessable(`${WRONG_FORMAT} Vérifiez le champ \`url\`.`);
  return { format: found?.format ?? 'jpeg', size_bytes: 80_000 + (saltOf(url) % 900_000), kept: { url } };
}

const order = z.object({
  prompt: text({ min: 1 }),
  align_with_brand: z._default(z.boolean(), true),
  bulle_id: bodyTarget,
});

/** POST /images/generate: a location is required only for the style of the brand. */
const generate = writing(on.nothing, order, (exchange, { prompt, align_with_brand, bulle_id }) => {
  if (align_with_brand || bulle_id !== undefined) targetBulle(exchange, bulle_id);
  const state = exchange.store.get(imagesSlice);
  state.generated += 1;
  const image_url = pictureOf(exchange.files, prompt, state.generated);
  return ok({ generated: true, image_url, brand_aligned: align_with_brand });
});

export const images = defineResource({
  slices: [imagesSlice],
  files: { pictures, avatars, uploads: serveUpload },
  routes: [
    route('POST /images/upload', 'publish', 'images.upload', upload),
    route('POST /images/generate', 'publish', 'images.generate', generate),
  ],
});
