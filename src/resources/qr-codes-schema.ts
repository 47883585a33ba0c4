import * as z from 'zod/mini';
import { endpoint } from '../core/endpoint.js';
import * as s from '../core/schema.js';
import type { BulleTarget } from '../core/types.js';

/** A QR code whose scans are counted. */
export interface QrCode {
  /** Id of the QR code. */
  id: number;
  /** The location of the QR code. A QR code can also belong to the brand. */
  bulle_id?: string | null;
  /** Name of the QR code in lists. */
  name?: string | null;
  /** Label of the target. */
  target?: string | null;
  /** Number of scans. */
  scan_count: number;
  /** ISO 8601. */
  last_scanned_at?: string | null;
  /** Whether the QR code is active. */
  is_active: boolean;
  /** Whether the gate is on. The effect of the gate is not documented. */
  gate_enabled: boolean;
  /** Threshold of the gate. Its unit is not documented. */
  gate_threshold?: number | null;
  /** ISO 8601. */
  created_at?: string | null;
}

/** The zod schema of {@link QrCode}. */
export const qrCodeSchema: s.ObjectSchema<QrCode> = s.object({
  id: s.integer,
  bulle_id: s.maybe(s.string),
  name: s.maybe(s.string),
  target: s.maybe(s.string),
  scan_count: s.integer,
  last_scanned_at: s.maybe(s.string),
  is_active: s.boolean,
  gate_enabled: s.boolean,
  gate_threshold: s.maybe(s.integer),
  created_at: s.maybe(s.string),
});

/** The result of `qrCodes.create`. */
export interface CreatedQrCode {
  /** Id of the QR code. */
  id: number;
  /** Name of the QR code in lists. */
  name?: string | null;
  /** Address that the QR code leads to. */
  target_url?: string | null;
  /** Short address of the QR code. */
  short_url: string;
  /** Address of the PNG image. It may be on another host: fetch it without the key. */
  png_url: string;
  /** Colour of the QR code, `#RRGGBB`. */
  color_hex?: string | null;
  /** Whether the image contains the logo. */
  with_logo: boolean;
  /** Number of scans. */
  scan_count: number;
  /** ISO 8601. */
  created_at?: string | null;
}

/** The zod schema of {@link CreatedQrCode}. */
export const createdQrCodeSchema: s.ObjectSchema<CreatedQrCode> = s.object({
  id: s.integer,
  name: s.maybe(s.string),
  target_url: s.maybe(s.string),
  short_url: s.string,
  png_url: s.string,
  color_hex: s.maybe(s.string),
  with_logo: s.boolean,
  scan_count: s.integer,
  created_at: s.maybe(s.string),
});

/** Filters of `qrCodes.list`. */
export interface QrCodeListParams {
  /** Only this location. Without it, a sphere key gets the QR codes of the whole brand. */
  bulle_id?: string | undefined;
}

/** The zod schema of {@link QrCodeListParams}. */
export const qrCodeListParamsSchema: s.ObjectSchema<QrCodeListParams> = s.params({
  bulle_id: s.target,
});

/** Parameters of `qrCodes.create`. */
export interface QrCodeCreateParams extends BulleTarget {
  /** Address that the QR code leads to. */
  target_url: string;
  /** Name of the QR code in lists. */
  name: string;
  /** Colour of the QR code, `#RRGGBB`. */
  color_hex?: string | undefined;
  /** Whether the image contains the logo. */
  with_logo?: boolean | undefined;
}

/** The zod schema of {@link QrCodeCreateParams}. */
export const qrCodeCreateParamsSchema: s.ObjectSchema<QrCodeCreateParams> = s.params({
  target_url: s.text(1),
  name: s.text(1),
  color_hex: z.optional(
    s.refine(
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
    trace: '`qrCodes.list()` shows the QR code',
    permission: 'publish',
    target: 'bulle_id',
    params: qrCodeCreateParamsSchema,
    response: createdQrCodeSchema,
  }),
};
