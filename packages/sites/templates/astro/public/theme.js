// The theme: what the reader chose, else what the system says.
// A block, and no `addEventListener` for the click, because a page of Next.js may run this file twice.
{
  const root = document.documentElement;
  const saved = () => localStorage.getItem('theme');
  const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

  try {
    if (saved()) root.dataset.theme = saved();
  } catch {
    // The browser blocks the storage: the choice lasts for one page.
  }

  document.onclick = ({ target }) => {
    if (!target.closest('.theme')) return;
    const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : systemIsDark.matches;
    root.dataset.theme = isDark ? 'light' : 'dark';
    try {
      localStorage.setItem('theme', root.dataset.theme);
    } catch {
      // As above.
    }
  };

  // A card whose picture cannot be loaded is one without a picture, see `site.css`.
  addEventListener(
    'error',
    ({ target }) => {
      if (target.matches?.('.cover img')) target.parentElement.hidden = true;
      if (target.matches?.('.prose img')) target.hidden = true;
    },
    true,
  );
}
