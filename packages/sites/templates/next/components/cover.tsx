import type { pictureOf } from '@/lib/pictures';

interface Props {
  picture: NonNullable<ReturnType<typeof pictureOf>>;
  /** Whether the picture is at the top of the page. */
  first?: boolean;
}

/** The picture of an article. `theme.js` hides it if it cannot be loaded, even before React has loaded. */
export function Cover({ picture, first = false }: Props) {
  return (
    <div className="cover" suppressHydrationWarning>
      <img
        {...picture}
        alt=""
        loading={first ? 'eager' : 'lazy'}
        fetchPriority={first ? 'high' : 'auto'}
        decoding="async"
      />
    </div>
  );
}
