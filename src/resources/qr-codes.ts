import type { ApiPromise } from '../core/api-promise.js';
import { endpoint } from '../core/endpoint.js';
import type { RequestOptions } from '../core/options.js';
import { array, boolean, integer, maybe, object, optional, strictObject, string, text, where } from '../core/schema.js';
import type { Send } from '../core/send.js';
import type { BulleTarget } from '../core/types.js';

/** A QR code whose scans are counted. */
export interface QrCode {
  /** Its number. */
  id: number;
  /** `null` for a code of the brand. */
  bulle_id?: string | null;
  /** What it is called in the lists. */
  name: string;
  /** Where it leads, as a label; not the `target_url` that it was created with. */
  target?: string | null;
  /** How often it was scanned. */
  scan_count: number;
  /** ISO 8601; `null` before the first scan. */
  last_scanned_at?: string | null;
  /** Whether it is switched on. */
  is_active?: boolean | null;
  /** Whether the gate is on; what the gate does is not documented. */
  gate_enabled?: boolean | null;
  /** Threshold of the gate. */
  gate_threshold?: number | null;
  /** ISO 8601. */
  created_at?: string | null;
}

/** A QR code that was just created. */
export interface CreatedQrCode {
  /** Its number. */
  id: number;
  /** What it is called in the lists. */
  name: string;
  /** Where it leads. */
  target_url?: string | null;
  /** What is encoded in it. */
  short_url: string;
  /** Address of the image, on another host: fetch it without the key. */
  png_url: string;
  /** `#RRGGBB`. */
  color_hex?: string | null;
  /** Whether the logo is in the image. */
  with_logo?: boolean | null;
  /** How often it was scanned: 0 at first. */
  scan_count?: number | null;
  /** ISO 8601. */
  created_at?: string | null;
}

/** Which codes `qrCodes.list` gives. */
export interface QrCodeListParams {
  /** One location; without it, a sphere key gets those of the whole brand. */
  bulle_id?: string | undefined;
}

/** What `qrCodes.create` takes. */
export interface QrCodeCreateParams extends BulleTarget {
  /** Where the code leads. */
  target_url: string;
  /** What it is to be called in the lists. */
  name: string;
  /** `#RRGGBB`. */
  color_hex?: string | undefined;
  /** Whether to put the logo into the image. */
  with_logo?: boolean | undefined;
}

/** @internal */
export const qrCode = object({
  id: integer,
  bulle_id: maybe(string),
  name: string,
  target: maybe(string),
  scan_count: integer,
  last_scanned_at: maybe(string),
  is_active: maybe(boolean),
  gate_enabled: maybe(boolean),
  gate_threshold: maybe(integer),
  created_at: maybe(string),
});

/** @internal */
export const createdQrCode = object({
  id: integer,
  name: string,
  target_url: maybe(string),
  short_url: string,
  png_url: string,
  color_hex: maybe(string),
  with_logo: maybe(boolean),
  scan_count: maybe(integer),
  created_at: maybe(string),
});

/** @internal */
export const qrCodeEndpoints = {
  list: endpoint({
    operation: 'qrCodes.list',
    method: 'GET',
    path: '/qr-codes',
    permission: 'read',
    target: 'bulle_id',
    params: strictObject({ bulle_id: optional(text(1)) }),
    response: array(qrCode),
  }),
  create: endpoint({
    operation: 'qrCodes.create',
    method: 'POST',
    path: '/qr-codes',
    trace: '`qrCodes.list()` has the code',
    permission: 'publish',
    target: 'bulle_id',
    params: strictObject({
      target_url: text(1),
      name: text(1),
      color_hex: optional(where(string, [(value) => /^#[0-9a-f]{6}$/i.test(value), 'a colour as #RRGGBB'])),
      with_logo: optional(boolean),
      bulle_id: optional(text(1)),
    }),
    response: createdQrCode,
  }),
};

/** QR codes whose scans are counted. */
export class QrCodes {
  readonly #send: Send;

  /** @internal */
  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * List the QR codes. `GET /qr-codes`, permission `read`.
   * @throws a {@link BulleOutOfScopeError} or {@link BulleNotFoundError} for a `bulle_id` that the key does not reach.
   * @example const scans = (await client.qrCodes.list()).reduce((sum, { scan_count }) => sum + scan_count, 0);
   */
  list(params: QrCodeListParams = {}, options?: RequestOptions): ApiPromise<QrCode[]> {
    return this.#send(qrCodeEndpoints.list, { ...params }, options);
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
    return this.#send(qrCodeEndpoints.create, { ...params }, options);
  }
}
