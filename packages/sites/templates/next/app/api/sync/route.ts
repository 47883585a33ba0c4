import { createHash, timingSafeEqual } from 'node:crypto';
import { isMultilocalError } from 'multilocal';
import { revalidateTag } from 'next/cache';
import { articleTag, LIST_TAG } from '@/lib/articles';
import { sync } from '@/lib/sync';

/** For a scheduler. `?reconcile` also finds deleted articles. */
export async function GET(request: Request): Promise<Response> {
  if (!isAllowed(request)) {
    return Response.json({ error: 'unauthorized' }, { status: 401 });
  }
  const { searchParams } = new URL(request.url);
  const { changed, hasNewListings, error } = await sync(searchParams.has('reconcile'));

  // Even after a failure. `expire: 0`: no visitor sees the old page again.
  for (const id of changed) revalidateTag(articleTag(id), { expire: 0 });
  if (changed.size > 0 || hasNewListings) revalidateTag(LIST_TAG, { expire: 0 });

  if (!error) return Response.json({ changed: [...changed] });
  console.error(error);
  const code = isMultilocalError(error) ? error.code : 'unknown';
  return Response.json({ error: code, changed: [...changed] }, { status: 502 });
}

/** Without `CRON_SECRET`, no request is allowed. */
function isAllowed({ headers }: Request): boolean {
  const { CRON_SECRET } = process.env;
  const sent = digest(headers.get('authorization') ?? '');
  const expected = digest(`Bearer ${CRON_SECRET}`);
  return Boolean(CRON_SECRET) && timingSafeEqual(sent, expected);
}

/** Of equal length, so that the comparison takes the same time for all. */
const digest = (text: string) => createHash('sha256').update(text).digest();
