/** How the reader came to a page. */
export type Arrival = 'load' | 'link' | 'history';

/** Calls `show` for the current page, and again when the reader opens another page of the site. */
export function startRouter(show: (path: string, arrival: Arrival) => void): void {
  let path = location.pathname;

  addEventListener('popstate', () => {
    // A step within a page, to an anchor.
    if (location.pathname === path) return;
    path = location.pathname;
    show(path, 'history');
  });

  addEventListener('click', (event) => {
    const url = pageBehind(event);
    if (!url) return;
    event.preventDefault();
    if (url.pathname !== path) history.pushState(null, '', url);
    path = url.pathname;
    show(path, 'link');
  });

  show(path, 'load');
}

/**
 * The page of this site that a click opens. `undefined` if the browser handles the click: other sites, new tabs,
 * anchors.
 */
function pageBehind(event: MouseEvent): URL | undefined {
  const { defaultPrevented, button, metaKey, ctrlKey, shiftKey, altKey, target } = event;
  if (defaultPrevented || button !== 0 || metaKey || ctrlKey || shiftKey || altKey) return undefined;
  const link = target instanceof Element ? target.closest('a') : null;
  if (!link?.href || link.target || link.hasAttribute('download')) return undefined;
  const url = new URL(link.href);
  const isPage = url.pathname === '/' || url.pathname.startsWith('/articles/');
  return url.origin === location.origin && isPage && !url.hash ? url : undefined;
}
