import type { Api } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import type { ApiPromise } from '../core/promise.js';
import {
  type CreatedQrCode,
  type QrCode,
  type QrCodeCreateParams,
  type QrCodeListParams,
  qrCodeEndpoints,
} from './qr-codes-schema.js';

/** QR codes whose scans are counted. */
export class QrCodes {
  readonly #api: Api;

  /** @internal */
  constructor(api: Api) {
    this.#api = api;
  }

  /**
   * List the QR codes. `GET /qr-codes`, permission `read`.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example const scans = (await client.qrCodes.list()).reduce((sum, { scan_count }) => sum + scan_count, 0);
   */
  list(params?: QrCodeListParams, options?: RequestOptions): ApiPromise<QrCode[]> {
    return this.#api.send(qrCodeEndpoints.list, params, options);
  }

  /**
   * Create a QR code. `POST /qr-codes`, permission `publish`.
   *
   * Without `bulle_id`, a sphere key creates a code of the brand. Never sent twice when it may have happened: after
   * `outcome: 'unknown'`, `qrCodes.list` shows whether it is there.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example
   * const { png_url } = await client.qrCodes.create({
   *   target_url: 'https://www.example.com/avis',
   *   name: 'Comptoir',
   *   color_hex: '#7A4B1E',
   * });
   */
  create(params: QrCodeCreateParams, options?: RequestOptions): ApiPromise<CreatedQrCode> {
    return this.#api.send(qrCodeEndpoints.create, params, options);
  }
}
