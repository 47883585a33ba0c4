import type { PlanProblem } from './actions.js';
import { sentences } from './sentences.js';
import { type Both, COLON, inLocale, type Locale } from './words.js';

type Sentences = typeof sentences;
type ValuesOf<Code extends keyof Sentences> = Sentences[Code] extends () => Both
  ? Record<never, never>
  : Parameters<Sentences[Code]>[0] & object;

/** Makes a problem: its code, its values, and the sentence in English that they make. */
export function problemOf<Code extends keyof Sentences>(
  code: Code,
  values: ValuesOf<Code>,
  path: PlanProblem['path'] = [],
): PlanProblem {
  return said({ code, message: '', path, values: { ...values } });
}

/** Why something is not done. */
type Refusal =
  | 'already_answered'
  | 'already_done'
  | 'already_online'
  | 'failed'
  | 'key_of_another_plan'
  | 'left_over'
  | 'mass_deletion'
  | 'may_be_online'
  | 'twin'
  | 'unknown_outcome';

/** The step of an action that is not carried out. */
export interface Refused {
  readonly do: 'refuse';
  readonly code: Refusal;
  readonly values: object;
}

export function refusal<Code extends Refusal>(code: Code, values: ValuesOf<Code>): Refused {
  return { do: 'refuse', code, values };
}

/** Says a problem in a language. `undefined`: an error of the client or of the service, which is no sentence of ours. */
export function sentenceOf({ code, values }: Pick<PlanProblem, 'code' | 'values'>, locale: Locale): string | undefined {
  if (values === undefined || !Object.hasOwn(sentences, code)) return undefined;
  const said = inLocale((sentences[code as keyof Sentences] as (values: object) => Both)(values), locale);
  return values.of === undefined ? said : `${values.of}${inLocale(COLON, locale)}${said}`;
}

/** The problem of a step, in its place. `of`: the key of a post that the plan no longer has. */
export function refused({ code, values }: Refused, path: PlanProblem['path'], of?: string): PlanProblem {
  return said({ code, message: '', path, values: { ...values, ...(of !== undefined && { of }) } });
}

/** A problem with the name of its location. */
export function placedAt(problem: PlanProblem, place: string | undefined): PlanProblem {
  return said({ ...problem, values: { ...problem.values, place } });
}

function said(problem: PlanProblem): PlanProblem {
  return { ...problem, message: sentenceOf(problem, 'en') ?? problem.message };
}
