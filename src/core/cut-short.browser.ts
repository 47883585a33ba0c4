/** Browsers tell a body that was cut from a whole one. */
export function isCutShort(_response: Response, _text: string): boolean {
  return false;
}
