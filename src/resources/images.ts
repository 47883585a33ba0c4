import type { Api } from '../core/api.js';
import { type RequestOptions, requestOptionsSchema } from '../core/options.js';
import { ApiPromise, type ApiResult } from '../core/promise.js';
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

/** Images for posts and articles: taken over or made by a model. */
export class Images {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
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
    return new ApiPromise(this.#upload(params, options));
  }

  async #upload(params: ImageUploadParams, options: RequestOptions = {}): Promise<ApiResult<UploadedImage>> {
    const { operation, method, path } = imageEndpoints.upload;
    const context = { operation, method, path };
    const { file, ...rest } = copyParams(imageUploadParamsSchema, params, context) as ImageUploadParams;
    if (file === undefined) return this.#api.send<UploadedImage>(imageEndpoints.upload, rest, options).withResponse();
    const checking = { ...context, redactor: this.#api.session.config.redactor };
    checkOptions(requestOptionsSchema, options, checking);
    checkParams(imageUploadParamsSchema, params, checking);
    options.signal?.throwIfAborted();
    const image_base64 = await dataUriOf(file, options.signal, context);
    return this.#api.send<UploadedImage>(imageEndpoints.upload, { image_base64 }, options).withResponse();
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
    return this.#api.send(imageEndpoints.generate, params, options);
  }
}
