/** The styles of a calendar: a page on a screen, in light and dark, and sheets of A4 on paper, each with the hashes. */
export const stylesOf = (hashes: string) => `
:root {
  color-scheme: light dark;
  --accent: light-dark(#9a3412, #fdba74);
  --text: light-dark(#1c1917, #f5f2ee);
  --muted: light-dark(#5f5750, #b8afa6);
  --page: light-dark(#faf8f5, #171412);
  --surface: light-dark(#ffffff, #211d1a);
  --line: light-dark(#e4ded7, #3b3530);
  --good: light-dark(#166534, #86efac);
  --bad: light-dark(#b91c1c, #fca5a5);
}
* { box-sizing: border-box; margin: 0; padding: 0; }
body {
  max-width: 60rem; margin: 0 auto; padding: 3rem 1.5rem;
  background: var(--page); color: var(--text);
  font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  overflow-wrap: anywhere;
}
ol, ul { list-style: none; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -0.02em; text-wrap: balance; }
.logo { display: block; max-width: 12rem; max-height: 4rem; margin-bottom: 1rem; }
.brand { margin-bottom: 0.25rem; color: var(--accent); font-weight: 600; }
.summary { margin-top: 0.5rem; color: var(--muted); }
section { margin-top: 2.5rem; }
section > h2 {
  position: sticky; top: 0; padding: 0.5rem 0; background: var(--page);
  font-size: 1.125rem; break-after: avoid;
}
section > h2::first-letter {
  text-transform: uppercase;
}
ol { border: 1px solid var(--line); border-radius: 12px; background: var(--surface); }
.entry { display: grid; grid-template-columns: 8.5rem 12rem 1fr; gap: 0 1.5rem; padding: 1.25rem; }
.entry + .entry { border-top: 1px solid var(--line); }
.entry > * { min-width: 0; }
time { font-size: 1.5rem; line-height: 1.2; font-weight: 650; font-variant-numeric: tabular-nums; white-space: nowrap; }
.zone, .remark, .city { color: var(--muted); font-size: 0.8125rem; line-height: 1.4; }
.remark { margin-top: 0.25rem; }
.when .zone { display: block; }
h3 { font-size: 1rem; line-height: 1.35; }
.platforms { display: flex; flex-wrap: wrap; gap: 0.25rem; margin-top: 0.5rem; }
.platforms li {
  padding: 0.0625rem 0.5rem; border: 1px solid currentColor; border-radius: 99px;
  color: var(--accent); font-size: 0.75rem; font-weight: 600;
}
h4 { margin-top: 0.75rem; color: var(--muted); font-size: 0.75rem; font-weight: 600; }
h4:first-child { margin-top: 0; }
.text { white-space: pre-wrap; unicode-bidi: isolate; }
.n { white-space: nowrap; }
.review { margin-bottom: 0.75rem; padding-left: 0.75rem; border-left: 3px solid var(--line); color: var(--muted); }
mark { padding: 0 0.25em; border-radius: 4px; font-size: 0.75em; }
.pictures { display: flex; flex-wrap: wrap; gap: 0.5rem; margin-bottom: 0.75rem; }
.pictures img { max-width: 100%; max-height: 16rem; border-radius: 8px; color: var(--muted); font-size: 0.75rem; }
.places {
  display: grid; grid-column: 1 / -1; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); column-gap: 1.5rem; margin-top: 0.75rem;
  font-size: 0.875rem; line-height: 1.4;
}
.places li { padding: 0.25rem 0; border-top: 1px solid var(--line); break-inside: avoid; }
.places time { font-size: 1em; }
.slot { padding: 0 0.3em; border: 1px solid var(--line); border-radius: 4px; background: var(--page); font-size: 0.9em; }
.over .text { text-decoration: line-through; color: var(--muted); }
.over .remark { color: var(--bad); font-weight: 600; }
.outcomes { font-size: 0.8125rem; line-height: 1.4; }
.outcomes li::before { content: "• "; }
.places .outcomes li { display: inline; padding: 0; border: 0; margin-right: 0.75em; }
.outcomes .online, .outcomes .scheduled, .outcomes .open { white-space: nowrap; }
.outcomes .online, .outcomes .online a { color: var(--good); }
.outcomes .failed, .outcomes .gone, .outcomes .unknown { color: var(--bad); font-weight: 600; }
.outcomes .online::before { content: "✓ "; }
.outcomes .failed::before, .outcomes .gone::before { content: "✗ "; }
.outcomes .unknown::before { content: "? "; }
.links { margin-top: 0.75rem; font-size: 0.8125rem; }
a { color: var(--accent); }
footer { margin-top: 3rem; padding-top: 1.25rem; border-top: 1px solid var(--line); color: var(--muted); font-size: 0.8125rem; }
footer h2 { font-size: 0.8125rem; color: var(--text); }
code { color: var(--text); font: 0.8125rem/1.8 ui-monospace, "Cascadia Mono", Menlo, Consolas, monospace; }
.approve { margin: 1rem 0; }
.approve a {
  display: inline-block; padding: 0.75rem 1.5rem; border-radius: 8px;
  background: var(--accent); color: var(--page); font-size: 1rem; font-weight: 600; text-decoration: none;
}
.sign { display: none; }
@media (max-width: 44rem) {
  body { padding: 1.5rem 1rem; }
  .entry { grid-template-columns: 1fr; gap: 0.75rem; }
}
@page {
  size: A4;
  margin: 16mm 14mm 18mm;
  @bottom-left { content: "${hashes}"; font: 7pt ui-monospace, Menlo, Consolas, monospace; color: #5f5750; }
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt system-ui, sans-serif; color: #5f5750; }
}
@media print {
  :root { color-scheme: only light; --page: #ffffff; font-size: 9pt; }
  body { max-width: none; padding: 0; line-height: 1.45; }
  section { margin-top: 1.5rem; }
  /* Browsers leave a heading behind that stands before a grid: it takes the room of the first lines with it. */
  section > h2 { position: static; break-inside: avoid; }
  section > h2::after { content: ""; display: block; height: 9rem; margin-bottom: -9rem; }
  ol { border-width: 1px 0 0; border-radius: 0; }
  .entry { grid-template-columns: 8rem 12rem 1fr; padding: 0.75rem 0; break-inside: avoid; }
  .entry:has(.places) { break-inside: auto; }
  .entry:has(.places) > div { break-inside: avoid; break-after: avoid; }
  .places { grid-template-columns: repeat(3, 1fr); break-before: avoid; }
  .places li { padding: 0.125rem 0; }
  .entry:last-child { border-bottom: 1px solid var(--line); }
  .pictures img { max-height: 45mm; }
  .approve { display: none; }
  .sign { display: flex; gap: 8mm; margin-top: 12mm; }
  .sign p { flex: 1; padding-top: 1mm; border-top: 1px solid var(--text); }
  footer { break-inside: avoid; }
  /* Each sheet has the code below, and nobody signs what is done. */
  footer:not(:has(.sign)) { display: none; }
}
`;
