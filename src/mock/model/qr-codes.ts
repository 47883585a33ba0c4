import { seedQrCodes } from '../seed/qr-codes.js';
import type { Slice } from '../store.js';
import type { Micros } from '../timestamps.js';

export interface StoredQrCode {
  readonly id: number;
  readonly sphere_id: string;
  /** `null`: the code is the brand's. */
  readonly bulle_id: string | null;
  readonly name: string;
  /** What it leads to, in a word. */
  readonly target: string;
  readonly scan_count: number;
  /** `null` before the first scan. */
  readonly last_scanned_at: Micros | null;
  readonly is_active: boolean;
  /** Whether customers are asked for their stars first, and from how many on they are sent to Google. */
  readonly gate_enabled: boolean;
  readonly gate_threshold: number;
  readonly created_at: Micros;
}

export interface QrCodesState {
  next_id: number;
  readonly items: StoredQrCode[];
}

export const qrCodesSlice: Slice<QrCodesState> = { name: 'qr_codes', seed: seedQrCodes };
