import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
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

export const qrCodeSchema: z.ZodMiniType<QrCode, QrCode> = s.object({
  id: s.integer,
  bulle_id: s.maybe(s.string),
  name: s.string,
  target: s.maybe(s.string),
  scan_count: s.integer,
  last_scanned_at: s.maybe(s.string),
  is_active: s.maybe(s.boolean),
  gate_enabled: s.maybe(s.boolean),
  gate_threshold: s.maybe(s.integer),
  created_at: s.maybe(s.string),
});

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

export const createdQrCodeSchema: z.ZodMiniType<CreatedQrCode, CreatedQrCode> = s.object({
  id: s.integer,
  name: s.string,
  target_url: s.maybe(s.string),
  short_url: s.string,
  png_url: s.string,
  color_hex: s.maybe(s.string),
  with_logo: s.maybe(s.boolean),
  scan_count: s.maybe(s.integer),
  created_at: s.maybe(s.string),
});

/** Which codes `qrCodes.list` gives. */
export interface QrCodeListParams {
  /** One location; without it, a sphere key gets those of the whole brand. */
  bulle_id?: string | undefined;
}

export const qrCodeListParamsSchema: z.ZodMiniType<QrCodeListParams, QrCodeListParams> = s.params({
  bulle_id: s.target,
});

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

export const qrCodeCreateParamsSchema: z.ZodMiniType<QrCodeCreateParams, QrCodeCreateParams> = s.params({
  target_url: s.text(1),
  name: s.text(1),
  color_hex: z.optional(
    s.where(
      s.string,
      s.rule((value) => /^#[0-9a-f]{6}$/i.test(value), 'must be a colour of the form #RRGGBB'),
    ),
  ),
  with_logo: z.optional(s.boolean),
  bulle_id: s.target,
});

export const qrCodeEndpoints = {
  list: endpoint({
    operation: 'qrCodes.list',
    method: 'GET',
    path: '/qr-codes',
    permission: 'read',
    target: 'bulle_id',
    params: qrCodeListParamsSchema,
    response: s.list(qrCodeSchema),
  }),
  create: endpoint({
    operation: 'qrCodes.create',
    method: 'POST',
    path: '/qr-codes',
    trace: '`qrCodes.list()` has the code',
    permission: 'publish',
    target: 'bulle_id',
    params: qrCodeCreateParamsSchema,
    response: createdQrCodeSchema,
  }),
};
