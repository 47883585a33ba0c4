import {
  type Action,
  hashOfPlan,
  impliedMoment,
  indexOf,
  offline,
  readActions,
  withoutContacts,
} from '@multilocal/plans/inside';
import type { Plan, Rehearsal, RehearsedAction } from 'multilocal/plans';
import { AGENT, say } from '../../front.js';
import { said } from '../answer.js';
import { localTime } from '../form.js';
import { flagsOf, OPTION_NAMES, type Option } from '../options.js';
import { rehearsePlanOf, UNPROVEN, unprovenBy } from '../rehearsing.js';
import type { Session } from '../session.js';
import type { Tool } from './tool.js';
import { paramsReader } from './typed.js';

/** An action, as an agent gives it. */
interface Given {
  readonly operation: string;
  readonly params?: object;
}

/** Says what each action would do, and writes them as a plan. */
export const rehearse: Tool<{ actions: Given[]; name?: string; options?: Option[] }> = {
  name: 'rehearse',
  description:
    'Prepare writes. Checks and previews each action, changes nothing, and returns a plan id and who carries it out. Put what belongs together into one plan, up to 20 actions.',
  input: {
    type: 'object',
    properties: {
      name: {
        type: 'string',
        description: 'Of the plan. That of an earlier one corrects it: what it lacks is left over',
      },
      options: {
        type: 'array',
        items: { type: 'string', enum: [...OPTION_NAMES] },
        description: 'Only if the person says so',
      },
      actions: {
        type: 'array',
        minItems: 1,
        maxItems: 20,
        items: {
          type: 'object',
          properties: {
            operation: { type: 'string' },
            key: {
              type: 'string',
              description:
                'Name it for later. To correct what it made: same `name`, key and operation, all params. A new key does it again',
            },
            params: { type: 'object', additionalProperties: true, description: 'As `operations` says, ids included' },
          },
          required: ['operation'],
        },
      },
    },
    required: ['actions'],
  },
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  async run({ actions, name, options = [] }, session, turn) {
    const typed = paramsReader();
    const each = actions.map((one) => ({ ...one, ...(one.params && { params: typed(one.operation, one.params) }) }));
    const given = { ...(name !== undefined && { name }), actions: each } as Plan;
    const read = readActions(given);
    if (read.problems.length > 0) {
      const advice = 'Nothing was sent. Correct the actions: `operations` with a name has their parameters.';
      const whole = read.problems.filter((one) => indexOf(one) === undefined).map(({ message }) => message);
      return said(
        { ok: false, problems: orNone(whole), ...saidOnce(offline(given, read).map((one) => shown(one))), advice },
        session,
      );
    }
    const plan = { name: `plan-${hashOfPlan({ actions: given.actions }).slice(0, 12)}`, ...given };
    const connected = await session.connect();
    const saved = await session.plans.save(plan, connected.owner);
    let ok = false;
    try {
      session.rehearsed.delete(saved.id);
      const rehearsed = await rehearsePlanOf({ ...connected, saved, session, turn }, options);
      const { rehearsal } = rehearsed;
      ok = rehearsal.ok;
      if (ok) session.rehearsed.set(saved.id, rehearsed);
      const unproven = unprovenBy(await session.contract(connected.client));
      const all = rehearsal.actions.map((one, index) => {
        return { ...shown(one, unproven), when: momentOf(read.actions[index]) };
      });
      const isDone = all.every(({ state }) => state === 'done') && rehearsal.leftOvers.length === 0;
      const advice = ok ? adviceFor(isDone, session, session.plans.advice(saved, flagsOf(options))) : REFUSED;
      const about = { ok, plan: ok ? saved.id : undefined, name: plan.name };
      const left = leftOversOf(rehearsal);
      return said({ ...about, ...saidOnce(all), ...left, requests_sent: rehearsal.requests, advice }, session);
    } finally {
      if (!ok) await session.plans.discard(saved);
    }
  },
};

/** What the plan no longer has, whole, and what concerns the plan as a whole. */
function leftOversOf({ leftOvers, warnings }: Rehearsal): object {
  const told = leftOvers.flatMap(({ problems }) => problems);
  const all = leftOvers.map(({ key, step, summary, problems }) => {
    const why = orNone(problems.map(({ message }) => say(message, AGENT)));
    return { key, step, summary: say(summary, AGENT), problems: why };
  });
  const others = warnings.filter((one) => !told.includes(one)).map(({ message }) => say(message, AGENT));
  return { left_over: all.length > 0 ? all : undefined, warnings: orNone(others) };
}

function momentOf(action: Action | undefined): string | undefined {
  const { scheduled_at } = action?.params ?? {};
  if (typeof scheduled_at === 'string') return localTime(scheduled_at);
  return action && impliedMoment(action);
}

const REFUSED =
  'The plan cannot be carried out, because of its problems. Change it, or pass `options` that they name and the person wants.';
const DONE = 'All of it was carried out before, and is never done twice. To do it again, give the actions new keys.';

function adviceFor(isDone: boolean, { settings: { writes, isUnattended } }: Session, person: string): string {
  if (isDone) return DONE;
  if (!writes) return `${person} Show them what it does.`;
  return `Call \`carry_out\` with the plan${isUnattended ? ' within ten minutes' : ': it asks the person'}. Or: ${person}`;
}

/** Moves sentences about several actions behind the actions. A plan has up to 20. */
function saidOnce(actions: readonly ReturnType<typeof shown>[]): object {
  const about = new Map<string, number[]>();
  for (const { action, details, warnings } of actions) {
    for (const text of new Set([...details, ...warnings])) about.set(text, [...(about.get(text) ?? []), action]);
  }
  const own = (texts: readonly string[]) => orNone(texts.filter((text) => about.get(text)?.length === 1));
  const shared = [...about].filter(([, numbers]) => numbers.length > 1);
  const notes = shared.map(([text, numbers]) => {
    return `${numbers.length === actions.length ? 'Every action' : `Actions ${numbers.join(', ')}`}: ${text}`;
  });
  const each = actions.map((one) => ({ ...one, details: own(one.details), warnings: own(one.warnings) }));
  return { actions: each, notes: orNone(notes) };
}

/** An answer does not show what is absent. */
function orNone(texts: readonly string[]): readonly string[] | undefined {
  return texts.length > 0 ? texts : undefined;
}

/** `unproven`: the operations whose preview is not proven. */
function shown(one: RehearsedAction, unproven: readonly string[] = []) {
  const { index, operation, state, sentence, details, problems, warnings, quota } = one;
  const lines = (list: RehearsedAction['problems']) =>
    list.map(({ message, path }) =>
      withoutContacts(say(path.length > 3 ? `${path.slice(3).join('.')}: ${message}` : message, AGENT)),
    );
  const isOpen = warnings.some(({ code }) => code === 'unknown_outcome');
  const isUnproven = state === 'unpreviewed' && !isOpen && unproven.includes(operation);
  return {
    action: index + 1,
    operation,
    state,
    // The agent has sent the texts, which stand behind the sentence.
    summary: sentence,
    details: isUnproven ? [...details, UNPROVEN] : details,
    problems: orNone(lines(problems)),
    warnings: lines(warnings),
    quota,
  };
}
