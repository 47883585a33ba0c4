import type { LiteralUnion } from 'type-fest';
import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';
import { isFile, MAX_BYTES } from './images-file.js';

/** The result of `images.upload`. */
export interface UploadedImage {
  /** Whether the service stored the image. */
  uploaded: boolean;
  /** Address of the image, for `image_url` of a post. It may be on another host: fetch it without the key. */
  image_url: string;
  /** Size of the image in bytes. */
  size_bytes: number;
  /** Format of the image, as the service detected it. */
  format?: LiteralUnion<'jpeg' | 'png' | 'webp' | 'gif', string> | null;
}

/** The zod schema of {@link UploadedImage}. */
export const uploadedImageSchema: s.ObjectSchema<UploadedImage> = s.object({
  uploaded: s.boolean,
  image_url: s.string,
  size_bytes: s.integer,
  format: s.maybe(s.string),
});

/** The result of `images.generate`. */
export interface GeneratedImage {
  /** Whether the image was generated. */
  generated: boolean;
  /** Address of the image, for `image_url` of a post. It may be on another host: fetch it without the key. */
  image_url: string;
  /** Whether the image follows the style of the brand. */
  brand_aligned: boolean;
}

/** The zod schema of {@link GeneratedImage}. */
export const generatedImageSchema: s.ObjectSchema<GeneratedImage> = s.object({
  generated: s.boolean,
  image_url: s.string,
  brand_aligned: s.boolean,
});

/**
 * Parameters of `images.upload`: exactly one of `url`, `image_base64` and `file`. JPEG, PNG, WebP or GIF, at most 8 MB.
 */
export type ImageUploadParams =
  | {
      /** Address that the service fetches the image from. */
      url: string;
      /** The image as a data URI: `data:image/png;base64,…`. At most 8 MB once decoded. */
      image_base64?: undefined;
      /** The image itself, at most 8 × 1024 × 1024 bytes. Its format is detected from its bytes. */
      file?: undefined;
    }
  | {
      /** Address that the service fetches the image from. */
      url?: undefined;
      /** The image as a data URI: `data:image/png;base64,…`. At most 8 MB once decoded. */
      image_base64: string;
      /** The image itself, at most 8 × 1024 × 1024 bytes. Its format is detected from its bytes. */
      file?: undefined;
    }
  | {
      /** Address that the service fetches the image from. */
      url?: undefined;
      /** The image as a data URI: `data:image/png;base64,…`. At most 8 MB once decoded. */
      image_base64?: undefined;
      /** The image itself, at most 8 × 1024 × 1024 bytes. Its format is detected from its bytes. */
      file: Blob | ArrayBuffer | Uint8Array;
    };
const imageUri = s.string.check(
  s.rule((uri) => base64Of(uri) !== '', 'must be a data URI of a JPEG, PNG, WebP or GIF image'),
  s.rule(
    (uri) => base64Of(uri).length * 0.75 < MAX_BYTES + 1,
    `must have at most 8 MB (${MAX_BYTES} bytes) once decoded`,
  ),
);

const ONE_SOURCE = 'must be the only one: pass `url`, `image_base64` or `file`';

const uploadFields = { url: z.optional(s.text(1)), image_base64: z.optional(imageUri) };

/** The zod schema of {@link ImageUploadParams}. */
export const imageUploadParamsSchema: z.ZodMiniType<ImageUploadParams, ImageUploadParams> = s.refine(
  s.params({
    ...uploadFields,
    file: z.optional(
      z.custom<Blob | ArrayBuffer | Uint8Array>(isFile, {
        error: ({ input }) =>
          /^(Blob|File)$/.test(s.tagOf(input))
            ? 'must have `arrayBuffer`, unlike the Blob of jsdom: pass its bytes'
            : s.mustBe('a Blob, ArrayBuffer or Uint8Array', input),
      }),
    ),
  }),
  s.rule(isOneSource, ONE_SOURCE, 'file'),
);

/** Parameters of `images.generate`. */
export interface ImageGenerateParams extends BulleTarget {
  /** Description of the image. */
  prompt: string;
  /** Whether the image follows the style of the brand. Default `true`, which needs `bulle_id` with a sphere key. */
  align_with_brand?: boolean | undefined;
}

/** The zod schema of {@link ImageGenerateParams}. */
export const imageGenerateParamsSchema: s.ObjectSchema<ImageGenerateParams> = s.params({
  prompt: s.text(1),
  align_with_brand: z.optional(s.boolean),
  bulle_id: s.target,
});

export const imageEndpoints = {
  upload: endpoint({
    operation: 'images.upload',
    method: 'POST',
    path: '/images/upload',
    trace: 'the API does not show it',
    permission: 'publish',
    slow: true,
    // A `file` is sent as `image_base64`.
    params: s.params(uploadFields).check(s.rule(isOneSource, ONE_SOURCE, 'url')),
    response: uploadedImageSchema,
  }),
  generate: endpoint({
    operation: 'images.generate',
    method: 'POST',
    path: '/images/generate',
    trace: 'the API does not show it',
    permission: 'publish',
    target: 'bulle_id',
    targetRequired: (params) => params.align_with_brand !== false,
    slow: true,
    params: imageGenerateParamsSchema,
    response: generatedImageSchema,
  }),
};

function isOneSource(params: object): boolean {
  return Object.values(params).filter((source) => source !== undefined).length === 1;
}

/** The base64 text of a data URI without padding. `''` if the text is not a data URI of one of the four formats. */
function base64Of(uri: string): string {
  const comma = uri.indexOf(',') + 1;
  const base64 = uri.slice(comma).replace(/==?$/, '');
  // A regular expression with a repeated group would overflow the stack on megabytes.
  const head = /^data:image\/(jpe?g|png|webp|gif)(;[^=]+=.*)?;base64,$/i;
  return head.test(uri.slice(0, comma)) && /^[a-z\d+/]+$/i.test(base64) ? base64 : '';
}
