/** Longest answer in characters: about 6 000 tokens, which every host takes. */
export const LONGEST_ANSWER = 24_000;

/** Something that the server does not do. Nothing was sent. */
export class Refused extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}
