import { type Api, ApiPromise, type ApiResult, apiOf, Resource } from '../core/api.js';
import { type RequestOptions, requestOptionsSchema } from '../core/options.js';
import { checkOptions, checkParams, copyParams } from '../core/request.js';
import { dataUriOf } from './images-file.js';
import {
  type GeneratedImage,
  type ImageGenerateParams,
  type ImageUploadParams,
  imageEndpoints,
  imageUploadParamsSchema,
  type UploadedImage,
} from './images-schema.js';
import type { InBulle, NeedsBulle } from './sphere.js';

/** Images for posts and articles: uploaded or generated. */
export class Images extends Resource {
  /**
   * Uploads an image from an address, a data URI or bytes. `POST /images/upload`, permission `publish`.
   *
   * The image must be a JPEG, PNG, WebP or GIF of at most 8 MB (8 × 1024 × 1024 bytes).
   * @remarks The client detects the format of a `file` from its bytes and checks both before it sends anything. A write
   * that may have succeeded is never sent again. After `outcome: 'unknown'`, no read shows whether the service stored
   * the image.
   * @throws an {@link InvalidRequestError} if a file is too large, has another format, or cannot be read.
   * @example const { image_url } = await client.images.upload({ file: await openAsBlob('brioche.jpg') });
   */
  upload(params: ImageUploadParams, options?: RequestOptions): ApiPromise<UploadedImage> {
    return new ApiPromise(upload(apiOf(this), params, options));
  }

  /**
   * Generates an image with an AI model. `POST /images/generate`, permission `publish`.
   *
   * The call is costly and slow: the default timeout is 180 s per attempt.
   * @remarks A write that may have succeeded is never sent again. After `outcome: 'unknown'`, no read shows whether an
   * image was generated.
   * @throws a {@link MissingBulleIdError} if a sphere key is used without `bulle_id`, unless `align_with_brand` is `false`.
   * @example const { image_url } = await client.images.generate({ prompt: 'Une brioche dorée', bulle_id });
   */
  generate(
    params: ImageGenerateParams & NeedsBulle<this, { align_with_brand: false } | InBulle<unknown>>,
    options?: RequestOptions,
  ): ApiPromise<GeneratedImage> {
    return apiOf(this).send(imageEndpoints.generate, params, options);
  }
}

async function upload(
  api: Api,
  params: ImageUploadParams,
  options: RequestOptions = {},
): Promise<ApiResult<UploadedImage>> {
  const { operation, method, path } = imageEndpoints.upload;
  const context = { operation, method, path };
  api.view?.refuseWrite(imageEndpoints.upload, () => context);
  const { file, ...rest } = copyParams(params, context) as ImageUploadParams;
  if (file === undefined) return api.send<UploadedImage>(imageEndpoints.upload, rest, options).withResponse();
  const checking = { ...context, redactor: api.session.config.redactor };
  checkOptions(requestOptionsSchema, options, checking);
  checkParams(imageUploadParamsSchema, params, checking);
  const image_base64 = await api.following(options.signal, (signal) => dataUriOf(file, signal, context));
  return api.send<UploadedImage>(imageEndpoints.upload, { image_base64 }, options).withResponse();
}
