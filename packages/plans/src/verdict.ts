import { clip } from 'multilocal/internal/text';
import { Accounts } from './accounts.js';
import { type Action, at, type PlanProblem } from './actions.js';
import { unresolved } from './carry-out.js';
import { describeWhole, detailsOf, printOrNothing, quotaOf, warningsOf } from './describe.js';
import { differences, digestsOf } from './digests.js';
import type { Entry, Made } from './journal-content.js';
import { fieldOf } from './made.js';
import { type Opened, withSource } from './opened.js';
import { isPost } from './operations.js';
import { changedByHand, doubtsOf, handChanges, postsOf } from './posts-seen.js';
import { preview } from './preview.js';
import { problemOf, refused, sentenceOf } from './problems.js';
import { errorIn, isPassing, refusedBy, refusedLocally } from './refusals.js';
import { remarks } from './remarks.js';
import type { RehearsedAction } from './results.js';
import type { Thing } from './shown.js';
import type { Step } from './sides.js';
import { Targets } from './targets.js';
import { creating, type Task, tasksOf } from './tasks.js';
import { PlanWarnings } from './warnings.js';
import { inBrackets, inLocale, type Locale, localMoment, platformNames, whenWritten } from './words.js';

/** Everything that is known of an action. What is left out has a default. */
type Verdict = Pick<RehearsedAction, 'state'> &
  Partial<RehearsedAction> & { readonly request?: Action; said?: ReturnType<typeof describeWhole> };

/** The verdicts of one rehearsal. */
export class Verdicts {
  readonly #opened: Opened;
  /** Why operations that have a preview are only checked. */
  readonly #unpreviewed: ReadonlyMap<string, string>;
  readonly #hasJournal: boolean;
  readonly #accounts: Accounts;
  readonly #warnings: PlanWarnings;
  /** What the actions so far use of each quota. */
  readonly #used = new Map<string, number>();
  /** Previews in a row to which the service gave no response: an outage costs a handful of requests. */
  #failures = 0;
  readonly targets: Targets;
  /** What the journal says, and what a run would note in it before it goes on. */
  readonly recorded: Map<string, Entry>;

  constructor(opened: Opened, unpreviewed: ReadonlyMap<string, string>, hasJournal: boolean) {
    const { context } = opened;
    this.#opened = opened;
    this.#unpreviewed = unpreviewed;
    this.#hasJournal = hasJournal;
    this.#accounts = new Accounts(context);
    this.#warnings = new PlanWarnings(context.timer.date());
    this.targets = new Targets(context.client, context.counted, opened.service.reviews);
    this.recorded = new Map(opened.ledger.entries());
  }

  /** Rehearses one action. `isAdopted`: another key has made it, which a run gives to this one. */
  async of(action: Action, isAdopted: boolean): Promise<RehearsedAction> {
    const own = this.#warnings.next(action);
    const verdict = await this.#verdictOf(action, own).catch((error): Verdict => {
      return { state: 'refused', problems: [refusedBy(error, action)] };
    });
    const { locale } = this.#opened.context;
    const { request = action, said, ...adopted } = isAdopted ? adoption(verdict, locale) : verdict;
    const problems = [...(adopted.problems ?? []), ...this.#sharedProblems(action, adopted)];
    const isRefused = problems.length > 0 && adopted.state !== 'failed';
    const state = isRefused ? 'refused' : adopted.state;
    // What was refused without a request costs none.
    const shown = async () => (verdict.state === 'refused' ? {} : this.targets.shownOf(action));
    const { index, key, operation, target, source } = action;
    const warnings = [...(state === 'done' || state === 'failed' ? [] : own), ...(verdict.warnings ?? [])];
    const texts = said ?? describeWhole(request, isRefused || state === 'failed', await shown(), locale);
    return {
      ...{ index, key, operation, target, state, sentence: texts[0], summary: texts.join('\n'), details: [] },
      ...adopted,
      state,
      problems: withSource(problems, action),
      warnings: withSource(withoutRepetition(warnings), action),
      ...(source !== undefined && { source }),
    };
  }

  /** What a run would do, decided as a run decides. */
  async #verdictOf(action: Action, own: readonly PlanProblem[]): Promise<Verdict> {
    const { client, timer } = this.#opened.context;
    for (;;) {
      const entry = this.recorded.get(action.key);
      // What the key may not do needs no look at the service. After a note, another request may follow.
      const denied = refusedLocally(client, tasksOf(action, entry, timer.date()), action);
      if (denied.length > 0) return { state: 'refused', problems: denied };
      const step = await this.#opened.stepOf(action, this.recorded);
      if (step.do === 'note') this.recorded.set(action.key, step.entry);
      else {
        const byHand = changedByHand(action, entry, postsOf(action, entry, this.#opened.service));
        const verdict = await this.#verdictOn(action, entry, step, own);
        return { ...verdict, warnings: [...(verdict.warnings ?? []), ...byHand] };
      }
    }
  }

  async #verdictOn(
    action: Action,
    entry: Entry | undefined,
    step: Step,
    own: readonly PlanProblem[],
  ): Promise<Verdict> {
    switch (step.do) {
      case 'create':
        return this.#creation(action, entry, step, own);
      case 'update':
      case 'replace':
        return this.#correction(action, entry as Entry, step, own);
      default:
        return known(action, entry, step, this.#opened.context.locale);
    }
  }

  async #creation(
    action: Action,
    entry: Entry | undefined,
    step: Step & { do: 'create' },
    own: readonly PlanProblem[],
  ): Promise<Verdict> {
    const task = creating(action, entry, step, this.#opened.context.timer.date());
    const found = await this.#preview(action, entry, task, own);
    const { platforms, isRetry } = step;
    if (isRetry) {
      const isReworded = entry?.made?.hash !== action.hash;
      const keep = isReworded ? [problemOf('keeps_old_text', {}, at(action))] : [];
      return { ...found, change: { kind: 'retry', platforms }, warnings: [...(found.warnings ?? []), ...keep] };
    }
    if (!entry?.made || found.state === 'refused') return found;
    // A change that is carried out with other values under its key: the same object is changed again.
    const fields = differences(entry.made.digests, digestsOf(action));
    return { ...found, state: 'changed', change: { kind: 'update', fields } };
  }

  /**
   * The verdict on a correction: what differs, and whether the accounts allow it. What replaces a post is
   * previewed like a new one: if the service refused it after the deletion, the post would be lost.
   */
  async #correction(
    action: Action,
    entry: Entry,
    step: Step & { do: 'update' | 'replace' },
    own: readonly PlanProblem[],
  ): Promise<Verdict> {
    const { context, service } = this.#opened;
    const { id, fields } = step;
    const { operation, target = operation } = action;
    const isReplaced = step.do === 'replace';
    const made = creating(action, entry, { do: 'create' }, context.timer.date());
    const { place = target } = await this.targets.shownOf(action);
    const found: Partial<Verdict> = isReplaced
      ? await this.#preview(action, entry, made, own)
      : await this.#accountProblems(action);
    const what = `${appliedAt(action, entry)}${inBrackets(entry.made?.ids)}`;
    // The step has looked at it.
    const thing = (postsOf(action, entry, service)[0] ?? service.things.get(`article ${id}`)) as Thing;
    return {
      state: 'changed',
      change: { kind: isReplaced ? 'replace' : 'update', fields },
      said: [inLocale(remarks.corrects(step.do, what, fields, place), context.locale)],
      details: [...comparison(action, entry, thing, step, context.locale), ...(found.details ?? [])],
      problems: found.problems ?? [],
      warnings: found.warnings ?? [],
    };
  }

  async #preview(action: Action, entry: Entry | undefined, task: Task, own: readonly PlanProblem[]): Promise<Verdict> {
    const { targets } = this;
    const { context, ledger } = this.#opened;
    const { locale } = context;
    const { endpoint, operation } = action;
    const { problems: found, warnings } = await this.#accountProblems(action);
    if (found.length > 0) {
      // The location was read to compare the accounts, so its name costs no request.
      const said = describeWhole(action, true, await targets.shownOf(action), locale);
      return { state: 'refused', problems: found, said };
    }
    if (this.#failures > 1)
      return { state: 'refused', problems: [problemOf('not_previewed', {}, at(action))], warnings };
    const request = { ...action, params: task.params };
    try {
      const why =
        this.#unpreviewed.get(operation) ?? (endpoint.dryRun ? undefined : inLocale(remarks.noPreview(), locale));
      if (why !== undefined) {
        // A deletion whose outcome is open may have happened.
        const isOpen = endpoint.method === 'DELETE' && entry?.sent !== undefined;
        const problems = isOpen ? [] : await targets.problemsOf(action);
        const shown = await targets.shownOf(action);
        const said = describeWhole(request, problems.length > 0, shown, locale, why);
        const details = shown.thing ? changesOf(action, shown.thing, locale) : [];
        return { state: 'unpreviewed', said, details, problems, warnings, ...quotaOf(request, undefined) };
      }
      const notes = { context, ledger, hasJournal: this.#hasJournal };
      const fields = Object(await preview(action, task, notes)) as Record<string, unknown>;
      this.#failures = 0;
      const all = [...warnings, ...warningsOf(action, fields, [...own, ...warnings])];
      return {
        state: 'ready',
        request,
        details: detailsOf(request, fields, locale),
        warnings: all,
        ...quotaOf(request, fields.quota),
      };
    } catch (error) {
      if (!isPassing(error)) return { state: 'refused', problems: [refusedBy(error, action)], warnings };
      this.#failures++;
      // The preview may have carried it out: then this rehearsal says, beside the error, what the next one would say.
      const lost = this.#hasJournal ? ledger.entryOf(action.key) : undefined;
      const next = lost?.sent && known(action, lost, await this.#opened.stepOf(action), locale);
      const open = next?.problems ?? next?.warnings ?? [];
      return { state: 'refused', problems: [errorIn(error, action), ...open], warnings };
    }
  }

  /** Compares a post with the accounts of its location, and everything with what is there already. */
  async #accountProblems(action: Action): Promise<{ problems: PlanProblem[]; warnings: PlanProblem[] }> {
    const doubts = doubtsOf(action, this.#opened.sides(this.recorded));
    if (!isPost(action.operation)) return { problems: [], warnings: doubts };
    const { problems, warnings } = await this.#accounts.check(action, (await this.targets.shownOf(action)).place);
    if (problems.length > 0) return { problems, warnings: [] };
    return { problems, warnings: [...warnings, ...doubts] };
  }

  /** Finds that the actions together need more than is left of a quota. No preview of a single action shows that. */
  #sharedProblems(action: Action, { quota = [] }: Verdict): PlanProblem[] {
    const { params } = action;
    return quota.flatMap(({ name, uses, left }) => {
      const owner = `${name} ${params.bulle_id ?? params.fiche_id}`;
      const before = this.#used.get(owner) ?? 0;
      this.#used.set(owner, before + uses);
      if (left === undefined || before + uses <= left) return [];
      return [problemOf('quota_exceeded', { needs: before + uses, name, left }, at(action))];
    });
  }
}

/** An action whose result another key has made. */
function adoption(verdict: Verdict, locale: Locale): Verdict {
  if (verdict.state !== 'done') return verdict;
  return {
    ...verdict,
    state: 'changed',
    change: { kind: 'adopt' },
    said: [inLocale(remarks.adopts(verdict.said?.[0] ?? ''), locale)],
  };
}

/** Another post of the plan on the same account is on the service, too, after a run that made only that one. */
function withoutRepetition(warnings: readonly PlanProblem[]): PlanProblem[] {
  const isFirst = ({ code }: PlanProblem, index: number) => warnings.findIndex((each) => each.code === code) === index;
  return warnings.filter((each, index) => each.code !== 'same_account' || isFirst(each, index));
}

/** The verdict on an action that needs no request. */
function known(action: Action, entry: Entry | undefined, step: Step, locale: Locale): Verdict {
  switch (step.do) {
    case 'nothing': {
      const warnings = entry?.made?.doubt ? [problemOf('failure_in_response', {}, at(action))] : [];
      return { state: 'done', said: [inLocale(remarks.done(appliedAt(action, entry as Entry)), locale)], warnings };
    }
    case 'refuse':
      return { state: step.code === 'failed' ? 'failed' : 'refused', problems: [refused(step, at(action))] };
    case 'ask':
      return { state: 'refused', problems: [unresolved(action, step.why, entry).problem] };
    default: {
      const warning = problemOf('unknown_outcome', {}, at(action));
      return { state: 'unpreviewed', said: [sentenceOf(warning, locale) ?? ''], warnings: [warning] };
    }
  }
}

/** The old and the new values, and what is undone. The journal has only digests, so the old ones are those of the service. */
function comparison(
  action: Action,
  entry: Entry,
  thing: Thing,
  { do: kind, fields }: Step & { do: 'update' | 'replace' },
  locale: Locale,
): string[] {
  const changes = 'platforms' in thing ? handChanges(action, entry, thing) : [];
  // Who takes over what somebody has written undoes nothing.
  const byHand = changes.flatMap(({ field, there, wanted }) => (there === wanted ? [] : (field as string)));
  // What is made anew has nothing of what somebody has changed.
  const undone = kind === 'replace' ? byHand.filter((name) => !fields.includes(name)) : [];
  return [...fields, ...undone].flatMap((name) => untilAndFrom(action, name, thing, locale, byHand.includes(name)));
}

/** What a change of a post or article by its id replaces. The summary has the new values. */
function changesOf(action: Action, thing: Thing, locale: Locale): string[] {
  const { post_id, article_id, scheduled_at, ...fields } = action.params;
  if (!action.operation.endsWith('.update')) return [];
  return Object.keys(fields).flatMap((name) => untilAndFrom(action, name, thing, locale).slice(0, 1));
}

/** The old and the new value of a field. */
function untilAndFrom(action: Action, name: string, thing: Thing, locale: Locale, isByHand = false): string[] {
  const shown = (value: unknown) => printOrNothing(value, action, locale);
  const platforms = 'platforms' in thing ? thing.platforms : [];
  const dates = platforms.map((platform) => Reflect.get(thing, `scheduled_${platform}`));
  const stored: unknown = Reflect.get(thing, name) ?? (name === 'scheduled_at' ? dates.find(Boolean) : undefined);
  const text = (value: unknown) => shown(name === 'platforms' && Array.isArray(value) ? platformNames(value) : value);
  const old = name === 'content_html' ? clip(text(stored)) : text(stored);
  const lines = [remarks.until(name, old, isByHand), remarks.from(name, text(fieldOf(action, name)))];
  return lines.map((line) => inLocale(line, locale));
}

/** When an action was carried out, on the clocks of its location. */
function appliedAt({ params }: Action, { at: ended, begun_at, made }: Entry): string {
  return localMoment(new Date(ended ?? begun_at ?? (made as Made).at), whenWritten(params));
}
