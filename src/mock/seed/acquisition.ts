import type { StoredRequest } from '../model/acquisition.js';
import type { SeedContext } from '../store.js';
import { DAY, HOUR } from '../timestamps.js';
import { FICHE_IDS } from './brand.js';
import { letters, scatter } from './scatter.js';

/** Requests of the last two months: fewer at the listings that opened last. */
export function seedRequests({ now }: SeedContext): StoredRequest[] {
  return FICHE_IDS.flatMap((fiche_id, at) =>
    Array.from({ length: 18 - at }, (_, index) => {
      const number = at * 100 + index;
      return {
        batch_id: `batch_${letters(number, 10)}`,
        fiche_id,
        channel: scatter(number, 31, 3) === 0 ? 'sms' : 'email',
        status: (['sent', 'opened', 'reviewed', 'sent', 'failed'] as const)[scatter(number, 32, 5)] ?? 'sent',
        created_at: now - index * 4 * DAY - (1 + scatter(number, 33, 20)) * HOUR,
      } as const;
    }),
  );
}
