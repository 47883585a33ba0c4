import type { Connection, PlatformLimits, PostCreateParams, PostIssue } from 'multilocal';
import { accountState } from 'multilocal/internal/account-state';
import { inside } from 'multilocal/internal/inspect';
import type { CallOptions } from 'multilocal/internal/options';
import { findIssues } from 'multilocal/internal/posts-check';
import { postCreateParamsSchema } from 'multilocal/internal/posts-schema';
import { parseTimestamp } from 'multilocal/internal/timestamps';
import * as z from 'zod/mini';
import { type Action, at, type PlanProblem } from './actions.js';
import type { Context } from './context.js';
import { problemOf } from './problems.js';
import { MEDIA } from './sentences.js';
import { localMoment, platformName } from './words.js';

/** Compares posts with the accounts of their locations and the limits of the platforms, which are read once. */
export class Accounts {
  readonly #context: Context;
  #limits: Promise<PlatformLimits> | undefined;
  /** The accounts of all locations, or of each one if the client is the view of a location. */
  readonly #accounts = new Map<string | undefined, Promise<Connection[]>>();

  constructor(context: Context) {
    this.#context = context;
  }

  /** Returns why a post would fail, and which of its accounts end soon. `place`: the name of its location. */
  async check(action: Action, place?: string): Promise<{ problems: PlanProblem[]; warnings: PlanProblem[] }> {
    const { client, strict, timer } = this.#context;
    const params = z.parse(postCreateParamsSchema, action.params) as PostCreateParams;
    const { bulle_id } = params;
    // Of what other routes answer, only what is compared is needed.
    const lenient: CallOptions = { ...strict, lenient: true };
    // A view lists the accounts of its own location, and an action may name another one.
    const location = inside(client).bulle_id === undefined ? undefined : bulle_id;
    const reading = this.#accounts.get(location) ?? client.connections.list({ bulle_id: location }, lenient);
    this.#accounts.set(location, reading);
    this.#limits ??= client.platforms.limits(lenient);
    const [all, limits] = await Promise.all([reading, this.#limits]);
    const own = all.filter((account) => bulle_id === undefined || (account.bulle_id ?? bulle_id) === bulle_id);
    const now = timer.date();
    // A client reads the names of the calendar, and not `gmb`.
    const issues = findIssues(params, own, limits, now, platformName);
    // Of a location without any account, the preview says whether it exists.
    const shown = own.length === 0 ? issues.filter(({ code }) => code !== 'not_connected') : issues;
    const problems = shown.map((issue) => problemIn(action, params, issue, place));
    const warnings = problems.length > 0 ? [] : own.flatMap((account) => endOf(action, account, now, place) ?? []);
    return { problems, warnings };
  }
}

/** What of a post an issue is about. The others are about its account. */
const FIELDS: Partial<Record<PostIssue['code'], readonly (keyof PostCreateParams)[]>> = {
  text_too_long: ['content', 'text'],
  too_few_images: ['image_urls'],
  too_many_images: ['image_urls'],
  media_too_large: MEDIA,
};

function problemIn(action: Action, params: PostCreateParams, issue: PostIssue, place: string | undefined): PlanProblem {
  const { platform, code, message } = issue;
  const field = FIELDS[code]?.find((name) => params[name] !== undefined);
  const isOwn = code === 'text_too_long' && typeof params.content_per_platform?.[platform] === 'string';
  const account = ['platforms', [action.params.platforms].flat().indexOf(platform)];
  const path = isOwn ? ['content_per_platform', platform] : field ? [field] : account;
  return problemOf(code, { platform, place, said: message }, at(action, ...path));
}

/** Warns about an account whose access ends within a week, or before the post is due. */
function endOf(action: Action, account: Connection, now: number, place: string | undefined): PlanProblem | undefined {
  const { platform, expires_at } = account;
  const { params } = action;
  const index = [params.platforms].flat().indexOf(platform);
  const end = Number(parseTimestamp(expires_at) ?? Number.POSITIVE_INFINITY);
  // A post without a date is due about now.
  const isBefore = end <= (momentOf(params, platform) ?? now);
  if (index < 0 || !(isBefore || accountState(account, now) === 'ends_soon')) return undefined;
  const values = { platform, place, end: localMoment(new Date(end), writtenFor(params, platform)), isBefore };
  return problemOf('needs_reconnect', values, at(action, 'platforms', index));
}

/** Returns when a post is due on a platform, in ms. `undefined` if it has no date. */
export function momentOf(params: Action['params'], platform: string): number | undefined {
  return parseTimestamp(writtenFor(params, platform))?.getTime();
}

/** `scheduled_gmb` replaces `scheduled_at` on gmb. The schemas have checked that both are timestamps. */
function writtenFor(params: Action['params'], platform: string): string | undefined {
  return (params[`scheduled_${platform}`] ?? params.scheduled_at) as string | undefined;
}
