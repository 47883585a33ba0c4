/**
 * The styles of the component. Pages change them through the custom properties of `:host` and through `::part()`. Colours
 * follow the `color-scheme` of the page.
 */
export const STYLES = `
:host {
  --_accent: var(--multilocal-accent, light-dark(#9a3412, #fdba74));
  --_text: var(--multilocal-text, light-dark(#1c1917, #f5f2ee));
  --_muted: var(--multilocal-muted, light-dark(#5f5750, #b8afa6));
  --_surface: var(--multilocal-surface, light-dark(#ffffff, #211d1a));
  --_line: var(--multilocal-line, light-dark(#e4ded7, #3b3530));
  --_radius: var(--multilocal-radius, 14px);
  --_gap: var(--multilocal-gap, 1.5rem);
  --_heading: var(--multilocal-heading-font, inherit);
  display: block;
  container-type: inline-size;
  color: var(--_text);
  font-family: var(--multilocal-font, inherit);
  line-height: 1.6;
  overflow-wrap: break-word;
}
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
:focus-visible { outline: 3px solid var(--_accent); outline-offset: 3px; border-radius: 4px; }
[part=heading]:focus, [part=list]:focus { outline: none; }
p, h2, ul { margin: 0; padding: 0; }

[part=status] {
  position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap;
}

[part~=items] {
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--multilocal-column, 18rem)), 1fr));
  gap: var(--_gap);
  list-style: none;
}
li { display: grid; }
[part=card] {
  position: relative;
  display: flex;
  flex-direction: column;
  overflow: hidden;
  border: 1px solid var(--_line);
  border-radius: var(--_radius);
  background: var(--_surface);
  transition: border-color 0.2s, box-shadow 0.2s;
}
li [part=card]:hover { border-color: var(--_accent); box-shadow: 0 6px 24px -12px rgb(0 0 0 / 35%); }
[part=card]:focus-within:has(:focus-visible) { outline: 3px solid var(--_accent); outline-offset: 3px; }
[part=card] [part=link]:focus-visible { outline: none; }
[part=card-image] { width: 100%; aspect-ratio: 16 / 9; object-fit: cover; background: var(--_line); }
[part=card-text] { display: flex; flex: 1; flex-direction: column; gap: 0.5rem; padding: 1.25rem 1.35rem 1.2rem; }
[part=card-title] { font-family: var(--_heading); font-size: 1.2rem; font-weight: 650; line-height: 1.3; text-wrap: pretty; }
[part=link] { color: inherit; text-decoration: none; }
[part=link]::after { content: ''; position: absolute; inset: 0; }
[part=card]:hover [part=link] { color: var(--_accent); }
[part=excerpt] {
  display: -webkit-box;
  overflow: hidden;
  color: var(--_muted);
  font-size: 0.95rem;
  -webkit-box-orient: vertical;
  -webkit-line-clamp: 7;
}
[part=card-image] + [part=card-text] [part=excerpt] { -webkit-line-clamp: 3; }

[part=category] { color: var(--_accent); font-size: 0.82rem; font-weight: 650; }
[part=meta] { color: var(--_muted); font-size: 0.82rem; }
[part=date] + [part=minutes]::before { content: ' · ' / ' '; }
[part=card] [part=meta] { margin-top: auto; padding-top: 0.4rem; }

[part=pager] { display: grid; place-items: center; margin-top: calc(var(--_gap) * 1.5); }
[part=pager][aria-busy] [part~=button] { opacity: 0.6; cursor: progress; }
[part~=button] {
  min-height: 2.75rem;
  padding: 0.5rem 1.5rem;
  border: 1px solid var(--_accent);
  border-radius: 99rem;
  background: transparent;
  color: var(--_accent);
  font: inherit;
  font-weight: 600;
  cursor: pointer;
}
[part~=button]:hover { background: var(--_accent); color: var(--_surface); }

[part=notice] {
  display: grid;
  justify-items: center;
  gap: 1rem;
  padding: 3rem 1.5rem;
  border: 1px dashed var(--_line);
  border-radius: var(--_radius);
  color: var(--_muted);
  text-align: center;
}
[part=pager] [part=notice] { padding: 0; border: 0; }
[part=back-link], [part=content-link] { color: var(--_accent); text-underline-offset: 0.2em; }

[part=article], [part=loading-article] { max-width: var(--multilocal-measure, 42rem); margin-inline: auto; }
[part=back] { margin-bottom: 2rem; font-size: 0.95rem; }
[part=back-link] { display: inline-block; padding-block: 0.5rem; text-decoration: none; }
[part=back-link]::before { content: '←' / ''; margin-inline-end: 0.5em; }
[part=back-link]:hover { text-decoration: underline; }
[part=header] { display: grid; gap: 0.75rem; }
[part=heading] {
  font-family: var(--_heading);
  font-size: clamp(1.8rem, 1.2rem + 3.5cqi, 2.6rem);
  font-weight: 700;
  line-height: 1.15;
  text-wrap: balance;
}
[part=cover] {
  display: block; width: 100%; margin-top: 1.75rem; aspect-ratio: 16 / 9; object-fit: cover;
  border-radius: var(--_radius); background: var(--_line);
}
[part=content] { margin-top: 1.75rem; font-size: 1.075rem; line-height: 1.75; }
[part=content] > :first-child { margin-top: 0; }
[part=content] :is(p, ul, ol, dl, figure, blockquote, pre) { margin: 1.1em 0; }
[part=content] :is(ul, ol) { padding-inline-start: 1.4em; }
[part=content] li { display: list-item; }
[part=content-heading] { margin: 1.8em 0 0.6em; font-family: var(--_heading); line-height: 1.25; text-wrap: balance; }
h3[part=content-heading] { font-size: 1.45em; }
h4[part=content-heading] { font-size: 1.2em; }
:is(h5, h6)[part=content-heading] { font-size: 1em; }
[part=content-image] { max-width: 100%; height: auto; border-radius: calc(var(--_radius) / 2); }
[part=content] blockquote { padding-inline-start: 1.1em; border-inline-start: 3px solid var(--_accent); color: var(--_muted); }
[part=content] figcaption { color: var(--_muted); font-size: 0.85em; }
[part=content] :is(pre, code) { font-family: ui-monospace, monospace; font-size: 0.9em; white-space: pre-wrap; }
[part=content] hr { border: 0; border-top: 1px solid var(--_line); margin: 2.5em 0; }
[part=content-table] { overflow-x: auto; margin: 1.4em 0; }
[part=content-table] table { border-collapse: collapse; width: 100%; font-size: 0.95em; overflow-wrap: normal; }
[part=content-table] :is(td, th) { padding: 0.55em 0.8em; border-bottom: 1px solid var(--_line); text-align: start; vertical-align: top; }

[part=loading] [part=card] { gap: 0.8rem; padding: 1.4rem; min-height: 11rem; }
[part=loading-article] { display: grid; gap: 1rem; }
[part~=placeholder] { display: block; height: 0.9rem; border-radius: 99rem; background: var(--_line); animation: breathe 1.4s ease-in-out infinite alternate; }
[part~=title-placeholder] { width: 70%; height: 1.4rem; }
[part~=line-placeholder]:last-child { width: 85%; }
@keyframes breathe { to { opacity: 0.45; } }
@media (prefers-reduced-motion: reduce) {
  [part~=placeholder] { animation: none; }
  [part=card] { transition: none; }
}
`;
