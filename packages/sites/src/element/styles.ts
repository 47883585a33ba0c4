/**
 * The styles of the component. Pages change them through the custom properties of `:host` and through `::part()`. Colours
 * follow the `color-scheme` of the page, and sizes its font size. The look is that of `templates/astro`.
 */
export const STYLES = `
:host {
  --_accent: var(--multilocal-accent, light-dark(#9c3f1c, #eda57e)); --_text: var(--multilocal-text, light-dark(#1d1915, #efe9e0));
  --_muted: var(--multilocal-muted, light-dark(#675e54, #ada294)); --_surface: var(--multilocal-surface, light-dark(#f3eee5, #201d1a));
  --_line: var(--multilocal-line, light-dark(#e3dbce, #35302a)); --_radius: var(--multilocal-radius, 3px);
  display: block; container-type: inline-size; color: var(--_text); font-family: var(--multilocal-font, inherit); line-height: 1.6; overflow-wrap: anywhere;
}
:host([hidden]) { display: none; }
*, ::before, ::after { box-sizing: border-box; }
:focus-visible { outline: 2px solid var(--_accent); outline-offset: 3px; border-radius: 2px; }
[part=heading]:focus, [part=list]:focus { outline: none; }
p, h2, ul { margin: 0; padding: 0; }
h2, [part=content-heading] { font-family: var(--multilocal-heading-font, inherit); font-weight: 500; line-height: 1.18; letter-spacing: -0.015em; text-wrap: balance; }
[part=status] { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

[part~=items] {
  display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, var(--multilocal-column, 18rem)), 1fr));
  gap: var(--multilocal-gap, clamp(2.5rem, 5cqi, 4rem) clamp(1.5rem, 3cqi, 2.5rem)); list-style: none;
}
[part=card] { position: relative; }
[part=card-image], [part=cover] { display: block; width: 100%; aspect-ratio: 4 / 3; border-radius: var(--_radius); background: var(--_surface); object-fit: cover; }
[part=card-text] { padding-top: 1.125rem; }
[part=card-text]:first-child { border-top: 3px solid var(--_accent); }
[part=card-title] { font-size: 1.333em; }
:first-child > [part=card-title] { font-size: 1.556em; }
[part=link] { background: linear-gradient(currentColor, currentColor) 0 100% / 0 1px no-repeat; color: inherit; text-decoration: none; transition: background-size 0.3s; }
[part=link]::after { content: ''; position: absolute; inset: 0; }
[part=card]:hover [part=link] { background-size: 100% 1px; }
[part=card]:has(:focus-visible) > :first-child { outline: 2px solid var(--_accent); outline-offset: 3px; }
[part=link]:focus-visible { outline: none; }
[part=excerpt] { margin-top: 0.625rem; color: var(--_muted); font-size: 0.944em; line-height: 1.5; }
[part=category] { margin-bottom: 0.5rem; color: var(--_accent); font-size: 0.75em; font-weight: 600; line-height: 1.4; letter-spacing: 0.08em; text-transform: uppercase; }
[part=meta] { margin-top: 0.875rem; color: var(--_muted); font-size: 0.889em; line-height: 1.5; }
[part=date] + [part=minutes]::before { content: ' · ' / ' '; }

[part=pager] { margin-top: clamp(3rem, 7cqi, 5rem); }
[part=pager][aria-busy] [part~=button] { opacity: 0.6; cursor: progress; }
[part~=button] { padding: 0.625rem 1.125rem; border: 1px solid var(--_line); border-radius: 2rem; background: none; color: var(--_text); font: inherit; font-size: 0.944em; cursor: pointer; }
[part~=button]:hover { border-color: var(--_accent); color: var(--_accent); }
[part=notice] { display: grid; justify-items: start; gap: 1.25rem; padding-block: 2rem; color: var(--_muted); }
[part=pager] [part=notice] { padding: 0; }

[part=article], [part=loading-article] { max-width: var(--multilocal-measure, 38rem); }
[part=back] { margin-bottom: clamp(1.5rem, 4cqi, 2.5rem); font-size: 0.889em; }
[part=back-link] { display: inline-block; padding-block: 0.5rem; color: var(--_muted); text-decoration: none; }
[part=back-link]::before { content: '←' / ''; margin-inline-end: 0.5em; }
[part=back-link]:hover { color: var(--_accent); }
[part=heading] { margin-top: 0.75rem; font-size: clamp(2em, 1.2em + 3.5cqi, 3em); line-height: 1.08; letter-spacing: -0.025em; }
[part=cover], [part=content] { margin-top: 2rem; }
[part=content] { font-size: clamp(1.055em, 1em + 0.4cqi, 1.167em); line-height: 1.62; }
[part=content] > :first-child { margin-top: 0; }
[part=content] > p:first-child { font-size: 1.2em; line-height: 1.45; text-wrap: pretty; }
[part=content] :is(p, ul, ol, dl, figure, blockquote, pre) { margin: 1.25em 0; }
[part=content] :is(ul, ol) { padding-inline-start: 1.25em; }
[part=content] ::marker { color: var(--_accent); }
[part=content] [part=content-heading] { margin: 1.9em 0 0.6em; line-height: 1.2; }
h3[part=content-heading] { font-size: 1.5em; }
h4[part=content-heading] { font-size: 1.2em; }
:is(h5, h6)[part=content-heading] { font-size: 1em; }
[part=content-link] { color: var(--_accent); text-decoration-thickness: 1px; text-underline-offset: 0.18em; }
[part=content-image] { max-width: 100%; height: auto; border-radius: var(--_radius); }
[part=content] blockquote { padding-inline-start: 1.25em; border-inline-start: 2px solid var(--_accent); font-style: italic; }
[part=content] figcaption { color: var(--_muted); font-size: 0.8em; }
[part=content] :is(pre, code) { font-family: ui-monospace, monospace; font-size: 0.875em; white-space: pre-wrap; }
[part=content] pre { padding: 1rem 1.25rem; background: var(--_surface); }
[part=content] hr { width: 4rem; margin: 2.5em 0; border: 0; border-top: 1px solid var(--_accent); }
[part=content-table] { overflow-x: auto; margin: 1.25em 0; }
[part=content-table] table { border-collapse: collapse; width: 100%; font-size: 0.9em; overflow-wrap: normal; }
[part=content-table] :is(td, th) { min-width: 6.5em; padding: 0.5em 1em 0.5em 0; border-bottom: 1px solid var(--_line); text-align: start; vertical-align: top; }

[part~=loading] [part=card]::before { content: ''; display: block; aspect-ratio: 4 / 3; background: var(--_surface); }
[part~=placeholder] { display: block; height: 0.75rem; margin-top: 0.75rem; border-radius: var(--_radius); background: var(--_line); animation: breathe 1.4s infinite alternate; }
[part~=title-placeholder] { width: 70%; height: 1.5rem; margin-top: 1.125rem; }
[part~=line-placeholder]:last-child { width: 85%; }
@keyframes breathe { to { opacity: 0.45; } }
@media (prefers-reduced-motion: reduce) { [part~=placeholder], [part=link] { animation: none; transition: none; } }
`;
