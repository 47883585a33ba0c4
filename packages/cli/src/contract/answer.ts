/** A response, as it came. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed body. `undefined` if it is not JSON. */
  readonly body: unknown;
  /** When it arrived, in ms on the clock of this machine. */
  readonly at: number;
}

/** The responses of the check by name. */
export type Answers = ReadonlyMap<string, Answer>;
