// A video of another site is a link. A click puts its player there, and only then does that site hear of the reader.
// It listens once, because a page of Next.js may run this file twice.
window.embeds ||=
  document.addEventListener('click', (event) => {
    const link = event.target.closest?.('a[data-embed]');
    // The other clicks open a new window.
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const frame = document.createElement('iframe');
    frame.className = 'embed';
    frame.title = link.textContent;
    frame.allow = 'autoplay; encrypted-media; fullscreen; picture-in-picture';
    // YouTube plays nothing for a page that it does not know.
    frame.referrerPolicy = 'strict-origin-when-cross-origin';
    frame.src = link.dataset.embed;
    link.replaceWith(frame);
    frame.focus();
  }) ?? true;
