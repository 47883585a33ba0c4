import { ApiPromise, type ApiResult } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { invalid } from '../core/request.js';
import { boolean, integer, maybe, object, optional, strictObject, string, text, where } from '../core/schema.js';
import type { Send } from '../core/send.js';
import type { BulleTarget, OpenEnum } from '../core/types.js';
import { dataUriOf, MAX_BYTES } from './images-file.js';

/** An image that the service has taken. */
export interface UploadedImage {
  /** Whether it was taken. */
  uploaded: boolean;
  /** Address of the image, for `image_url` of a post; on another host: fetch it without the key. */
  image_url: string;
  /** Its size in bytes. */
  size_bytes?: number | null;
  /** Its format, as the service saw it. */
  format?: OpenEnum<'jpeg' | 'png' | 'webp' | 'gif'> | null;
}

/** An image that a model has made. */
export interface GeneratedImage {
  /** Whether it was made. */
  generated: boolean;
  /** Address of the image, for `image_url` of a post; on another host: fetch it without the key. */
  image_url: string;
  /** Whether the look of the brand was kept to. */
  brand_aligned?: boolean | null;
}

/** What `images.upload` takes: one of `url`, `image_base64` and `file`. JPEG, PNG, WebP or GIF; 8 MB at most. */
export type ImageUploadParams =
  | {
      /** Address that the service fetches the image from. */
      url: string;
      image_base64?: undefined;
      file?: undefined;
    }
  | {
      url?: undefined;
      /** The image as a data URI: `data:image/png;base64,…`. At most 8 MB once decoded. */
      image_base64: string;
      file?: undefined;
    }
  | {
      url?: undefined;
      image_base64?: undefined;
      /** The image itself, 8 × 1024 × 1024 bytes at most. Its format is told from its bytes. */
      file: Blob | ArrayBuffer | Uint8Array;
    };

/** What `images.generate` takes. */
export interface ImageGenerateParams extends BulleTarget {
  /** What the image is to show. */
  prompt: string;
  /** Keep to the look of the brand. Default `true`; a sphere key then needs `bulle_id`. */
  align_with_brand?: boolean | undefined;
}

/** @internal */
export const uploadedImage = object({
  uploaded: boolean,
  image_url: string,
  size_bytes: maybe(integer),
  format: maybe(string),
});

/** @internal */
export const generatedImage = object({
  generated: boolean,
  image_url: string,
  brand_aligned: maybe(boolean),
});

const ONE_SOURCE = 'one of `url`, `image_base64` and `file`';

/** The base64 of a data URI of one of the four formats, without its padding; `undefined` for anything else. */
function base64Of(uri: string): string | undefined {
  const comma = uri.indexOf(',') + 1;
  const base64 = uri.slice(comma).replace(/={1,2}$/, '');
  // One search and no repeated group, which would run out of stack on megabytes.
  const isWhole = /^data:image\/(jpe?g|png|webp|gif);base64,$/i.test(uri.slice(0, comma)) && !/[^\w+/]|_/.test(base64);
  return isWhole && base64 !== '' ? base64 : undefined;
}

const imageUri = where(
  string,
  [(uri) => base64Of(uri) !== undefined, 'a data URI of a JPEG, PNG, WebP or GIF image'],
  [
    (uri) => Math.floor(((base64Of(uri) ?? '').length * 3) / 4) <= MAX_BYTES,
    `at most 8 MB (${MAX_BYTES} bytes) once decoded`,
  ],
);

/** @internal */
export const imageEndpoints = {
  upload: endpoint({
    operation: 'images.upload',
    method: 'POST',
    path: '/images/upload',
    trace: 'no read shows it',
    permission: 'publish',
    slow: true,
    params: where(
      strictObject({
        url: optional(text(1)),
        image_base64: optional(imageUri),
      }),
      [({ url, image_base64 }) => (url === undefined) !== (image_base64 === undefined), ONE_SOURCE, 'url'],
    ),
    response: uploadedImage,
  }),
  generate: endpoint({
    operation: 'images.generate',
    method: 'POST',
    path: '/images/generate',
    trace: 'no read shows it',
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: (params) => params.align_with_brand !== false,
    slow: true,
    params: strictObject({
      prompt: text(1),
      align_with_brand: optional(boolean),
      bulle_id: optional(text(1)),
    }),
    response: generatedImage,
  }),
};

/** Images for posts and articles: taken over or made by a model. */
export class Images {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Hand an image over, from an address, a data URI or bytes. `POST /images/upload`, permission `publish`.
   *
   * JPEG, PNG, WebP or GIF, told from the bytes of a `file`; 8 MB (8 × 1024 × 1024 bytes) at most, checked before
   * anything is sent. Never sent twice when it may have happened: after `outcome: 'unknown'`, no read shows whether the
   * image was taken; uploading again costs no more than a second copy.
   * @throws an {@link InvalidRequestError} for a file that is too large, of another format, or cannot be read.
   * @example const { image_url } = await client.images.upload({ file: await openAsBlob('brioche.jpg') });
   */
  upload(params: ImageUploadParams, options?: RequestOptions): ApiPromise<UploadedImage> {
    return new ApiPromise(this.#upload({ ...params }, options));
  }

  async #upload(params: ImageUploadParams, options: RequestOptions = {}): Promise<ApiResult<UploadedImage>> {
    const { file, ...rest } = params;
    if (file === undefined) return this.#send<UploadedImage>(imageEndpoints.upload, rest, options).withResponse();
    options.signal?.throwIfAborted();
    const { operation, method, path } = imageEndpoints.upload;
    const context = { operation, method, path };
    if (rest.url !== undefined || rest.image_base64 !== undefined) {
      throw invalid([{ path: ['file'], message: `expected ${ONE_SOURCE}` }], context);
    }
    const image_base64 = await dataUriOf(file, options.signal, context);
    return this.#send<UploadedImage>(imageEndpoints.upload, { ...rest, image_base64 }, options).withResponse();
  }

  /**
   * Have a model make an image. `POST /images/generate`, permission `publish`.
   *
   * Costly and slow: 180 s an attempt by default. Never sent twice when it may have happened: after
   * `outcome: 'unknown'`, no read shows whether an image was made.
   * @throws a {@link MissingBulleIdError} for a sphere key without `bulle_id`, unless `align_with_brand` is `false`.
   * @throws a {@link BadGatewayError} when the model's provider failed.
   * @example const { image_url } = await client.images.generate({ prompt: 'Une brioche dorée', bulle_id });
   */
  generate(params: ImageGenerateParams, options?: RequestOptions): ApiPromise<GeneratedImage> {
    return this.#send(imageEndpoints.generate, { ...params }, options);
  }
}
