import { postStatusByPlatform } from 'multilocal/internal/posts-platforms';
import type { WatchEvent } from 'multilocal/watch';

/** Fields that hold no text of a person: ids, dates, addresses. */
const TECHNICAL =
  /(^|_)(id|at|url|urls|timestamp|date)$|^(at|type|slug|status|period|platforms?|kind)$|^(scheduled|published)_/;
const MAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;
/** A phone number: nine digits or more, with what people write between them. */
const PHONE = /(?<![\p{L}\p{N}/_=.:#-])(?:\+|\()?\p{Nd}(?:[\s.()\u2010-\u2015-]{0,3}\p{Nd}){8,14}(?![\p{L}\p{N}])/gu;

/** Returns an event without the e-mail addresses and phone numbers in its texts. */
export function withoutContacts<Value>(value: Value, name = ''): Value {
  if (typeof value === 'string') return (TECHNICAL.test(name) ? value : masked(value)) as Value;
  if (Array.isArray(value)) return value.map((item) => withoutContacts(item, name)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutContacts(item, key)])) as Value;
}

function masked(text: string): string {
  return text.replace(MAIL, '[redacted]').replace(PHONE, '[redacted]');
}

/** One line for a person. */
export function lineOf(event: WatchEvent): string {
  const place = event.bulle_id ?? event.fiche_id;
  return [
    event.at.slice(0, 16).replace('T', ' '),
    event.type.padEnd(20),
    ...(place ? [place] : []),
    detailOf(event),
  ].join('  ');
}

function detailOf(event: WatchEvent): string {
  if ('review' in event)
    return `${'★'.repeat(event.review.rating)} ${event.review.customer_name ?? ''}: ${event.review.text ?? ''}`;
  if ('post' in event) {
    const error = event.type === 'post.failed' && postStatusByPlatform(event.post)[event.platform]?.error;
    return `${event.platform}: ${error || event.post.content || event.post.id}`;
  }
  if ('connection' in event) return `${event.connection.platform}: ${event.connection.name ?? ''}`;
  if ('article' in event)
    return event.deleted
      ? `article ${event.article.id} was deleted`
      : (event.article.title ?? `article ${event.article.id}`);
  return 'report' in event ? (event.report.report_name ?? '') : `something of ${event.kind} may have been missed`;
}
