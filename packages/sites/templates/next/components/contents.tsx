import type { Contents as Props } from '@/lib/journal';
import { words } from '@/lib/site';

/** What a long text has: beside it where there is room, else folded. */
export function Contents({ headings, isListed }: Props) {
  return (
    <details className={isListed ? 'contents twice' : 'contents'}>
      <summary>{words.contents}</summary>
      <nav aria-label={words.contents}>
        <ol>
          {headings.map(({ id, text }) => (
            <li key={id}>
              <a href={`#${encodeURIComponent(id)}`} dangerouslySetInnerHTML={{ __html: text }} />
            </li>
          ))}
        </ol>
      </nav>
    </details>
  );
}
