/** A whole number below `below` that looks random and is the same for the same two numbers. */
export function scatter(index: number, salt: number, below: number): number {
  let hash = Math.imul(index + 1, 0x9e3779b1) ^ Math.imul(salt + 1, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a2d39);
  return ((hash ^ (hash >>> 15)) >>> 0) % below;
}

/** Turns a text into a salt for {@link scatter}, so that each id has different data. */
export function saltOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** `length` letters and digits, as in the identifiers of other services. */
export const letters = (salt: number, length: number): string =>
  Array.from({ length }, (_, index) => LETTERS[scatter(index, salt, LETTERS.length)]).join('');
