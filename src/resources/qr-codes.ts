import { type ApiPromise, apiOf, Resource } from '../core/api.js';
import type { RequestOptions } from '../core/options.js';
import { type ListPromise, sendList, wholeList } from './pages.js';
import {
  type CreatedQrCode,
  type QrCode,
  type QrCodeCreateParams,
  type QrCodeListParams,
  qrCodeEndpoints,
} from './qr-codes-schema.js';

/** QR codes whose scans are counted. */
export class QrCodes extends Resource {
  /**
   * Lists the QR codes. `GET /qr-codes`, permission `read`.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if `bulle_id` is out of scope or unknown.
   * @example const scans = (await client.qrCodes.list()).reduce((sum, { scan_count }) => sum + scan_count, 0);
   */
  list(params?: QrCodeListParams, options?: RequestOptions): ListPromise<QrCode[], QrCode> {
    return sendList(apiOf(this), qrCodeEndpoints.list, params, options, wholeList());
  }

  /**
   * Creates a QR code. `POST /qr-codes`, permission `publish`.
   *
   * A sphere key without `bulle_id` creates a QR code of the brand.
   * @remarks A write that may have succeeded is never sent again: after `outcome: 'unknown'`, `qrCodes.list` shows
   * whether the QR code exists.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} if `bulle_id` is out of scope or unknown.
   * @example
   * const { png_url } = await client.qrCodes.create({
   *   target_url: 'https://www.example.com/avis',
   *   name: 'Comptoir',
   *   color_hex: '#7A4B1E',
   * });
   */
  create(params: QrCodeCreateParams, options?: RequestOptions): ApiPromise<CreatedQrCode> {
    return apiOf(this).send(qrCodeEndpoints.create, params, options);
  }
}
