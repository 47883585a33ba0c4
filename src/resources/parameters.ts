import * as z from 'zod/mini';
import * as s from '../core/schema.js';
import { isDay } from '../core/timestamps.js';
import {
  type BulleTarget,
  type DryRunPreview,
  type FicheTarget,
  looksLikePreview,
  PLATFORMS,
  type PlatformName,
  type TemporalMoment,
} from '../core/types.js';
import { fitsZone, isMoment, isTemporal } from './moments.js';

/** The zod schema of {@link BulleTarget}. */
export const bulleTargetSchema: z.ZodMiniType<BulleTarget, BulleTarget> = s.params({ bulle_id: s.target });

/** The zod schema of {@link FicheTarget}. */
export const ficheTargetSchema: z.ZodMiniType<FicheTarget, FicheTarget> = s.params({ fiche_id: s.target });

/** The zod schema of {@link DryRunPreview}. A body without `dry_run: true` needs a field that begins with `would_`. */
export const dryRunPreviewSchema: z.ZodMiniType<DryRunPreview, DryRunPreview> = s.where(
  s.object({ dry_run: s.maybeAbsent(z.literal(true, s.must('true'))), quota: z.optional(z.unknown()) }),
  s.rule(looksLikePreview, 'must show `dry_run: true` or a field that begins with `would_`'),
);

/** A calendar day. A `Date` is refused because its day depends on the time zone. */
export const day = s.matching(isDay, 'a day that exists, as YYYY-MM-DD');

/** The platforms to publish on: at least one, and none twice, so that nothing is published twice. */
export const platforms = s.list(s.oneOf(PLATFORMS)).check(
  ...s.sized<unknown[]>((names) => names.length, 1, Number.POSITIVE_INFINITY, 'must name at least one platform'),
  z.refine((names) => new Set(names).size === names.length, 'must name each platform only once'),
);

/** One field for each platform: `scheduled_facebook` … */
export function perPlatform<Prefix extends string, Field extends z.core.SomeType>(prefix: Prefix, field: Field) {
  const fields = PLATFORMS.map((platform) => [`${prefix}_${platform}`, field]);
  return Object.fromEntries(fields) as { [Name in `${Prefix}_${PlatformName}`]: Field };
}

/** A future moment. A string needs an offset: without one, the hour would depend on the reader's time zone. */
export const scheduledAt = s.anyOf(
  [
    ...s.dates,
    s
      .matching(isMoment, 'a date-time that exists, with `Z` or an offset (+01:00)')
      .check(z.refine<string>(fitsZone, 'must have the offset that its time zone has at that moment')),
    // Without `abort`, a wrong string would fail as a whole, and its message would not be shown.
    z.custom<TemporalMoment>(isTemporal, { ...s.must('a moment of Temporal'), abort: true }),
  ],
  'a valid Date, a Temporal.Instant, a Temporal.ZonedDateTime or a string',
);

/** A field that belongs only to another form of the object. */
export const absent = z.optional(z.never('must be absent'));
