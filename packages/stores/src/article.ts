import type { Article } from 'multilocal';
import { InvalidRequestError } from 'multilocal/internal/errors';

/** @throws {InvalidRequestError} if an id is not an integer. Only integers may become part of a path or a row. */
export function idOf(caller: string, id: number): number {
  if (!Number.isSafeInteger(id)) throw wrong(caller, 'id', 'must be an integer');
  return id;
}

/** @throws {InvalidRequestError} if an article has no id or no `updated_at`, and so cannot be stored or compared. */
export function checked(caller: string, article: Article): Article {
  idOf(caller, Object(article).id);
  if (typeof article.updated_at !== 'string') throw wrong(caller, 'updated_at', 'must be a string');
  return article;
}

function wrong(caller: string, name: string, message: string): InvalidRequestError {
  const issues = [{ path: [name], message }];
  return new InvalidRequestError(`${caller}: \`${name}\` of an article ${message}.`, { issues });
}
