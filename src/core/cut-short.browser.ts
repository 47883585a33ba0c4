/** Browsers know when a body was cut short. */
export function refuseCutShort(_response: Response, _text: string): void {}
