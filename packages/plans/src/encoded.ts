import type { Mask } from 'multilocal/internal/redact';

const MASK = '[redacted]';
/** A service may encode a text that is encoded already. */
const MOST_LAYERS = 3;

/** Masks an id. An id that holds in percent signs or Base64 what must not be shown is masked as a whole. */
export function maskId<Id extends string | number>(id: Id, mask: Mask): Id | string {
  const text = String(id);
  if (decodings(text).some((decoded) => mask(decoded) !== decoded)) return MASK;
  const shown = mask(text);
  return shown === text ? id : shown;
}

function decodings(text: string, layers = MOST_LAYERS): string[] {
  const plain = text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  // The text may begin anywhere in a run: `soc_` and `x-` are letters of Base64, too.
  const runs = text.match(/[\w+/-]{8,}/g) ?? [];
  const decoded = runs.flatMap((run) => [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), 'base64').toString()));
  const next = [...(plain === text ? [] : [plain]), ...decoded.filter((each) => /^[\x20-\x7e]*$/.test(each))];
  return layers === 0 ? [] : [...next, ...decoded, ...next.flatMap((each) => decodings(each, layers - 1))];
}
