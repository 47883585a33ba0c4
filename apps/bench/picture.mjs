// Draws stacked bars as SVG.

const WIDTH = 760;
const MARGIN = 24;
const SPAN = WIDTH - 2 * MARGIN;
const BAR = 34;
/** From the title of a bar to the title of the next one. */
const STEP = 78;
const TOP = 40;
const COLUMNS = 3;
const LEGEND_ROW = 24;
/** Narrower parts have no text. */
const ROOM = 34;

/**
 * @param {object} figure
 * @param {{ title: string, cost: string, shares: Record<string, number> }[]} figure.bars
 * @param {{ name: string, title: string, own?: boolean, fill: string, ink: string }[]} figure.owners
 * @param {string} figure.node
 */
export function picture({ bars, owners, node }) {
  const legendTop = TOP + bars.length * STEP + 8;
  const height = legendTop + (Math.ceil(owners.length / COLUMNS) + 1) * LEGEND_ROW + 8;
  const summary = bars.map((bar) => `${bar.title}: ${sharesAsText(bar, owners)}`).join('. ');
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="14">
  <title id="title">Where the time of a call goes, on ${node}. ${summary}.</title>
  <!-- Written by apps/bench/figures/time.mjs. The picture has its own background, so that it is legible wherever it is shown. -->
  <style>
    .paper { fill: #ffffff; stroke: #d0d7de; }
    .part { stroke: #ffffff; }
    .name { fill: #1f2328; font-weight: 600; }
    .note { fill: #424a53; font-size: 12px; }
    .share { font-size: 12px; text-anchor: middle; }
    @media (prefers-color-scheme: dark) {
      .paper { fill: #0d1117; stroke: #30363d; }
      .part { stroke: #0d1117; }
      .name { fill: #f0f6fc; }
      .note { fill: #c9d1d9; }
    }
  </style>
  <rect class="paper" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="10"/>
${bars.map((bar, index) => drawBar(bar, owners, TOP + index * STEP)).join('\n')}
${drawLegend(owners, legendTop, node)}
</svg>
`;
}

function drawBar({ title, cost, shares }, owners, y) {
  let x = MARGIN;
  const parts = owners.map(({ name, fill, ink }) => {
    const share = shares[name] ?? 0;
    const width = share * SPAN;
    const middle = (x + width / 2).toFixed(1);
    const text =
      width < ROOM
        ? ''
        : `<text class="share" fill="${ink}" x="${middle}" y="${y + 33}">${Math.round(share * 100)} %</text>`;
    const rect = `<rect class="part" fill="${fill}" x="${x.toFixed(1)}" y="${y + 12}" width="${width.toFixed(1)}" height="${BAR}"/>`;
    x += width;
    return `  ${rect}${text}`;
  });
  return `  <text class="name" x="${MARGIN}" y="${y}">${title}</text><text class="note" x="${WIDTH - MARGIN}" y="${y}" text-anchor="end">${cost} of processor time</text>
${parts.join('\n')}`;
}

/** The parts of this package come first, below the head of the legend. */
function drawLegend(owners, top, node) {
  const rows = Math.ceil(owners.length / COLUMNS);
  const entries = owners.map(({ title, own, fill }, index) => {
    const x = MARGIN + Math.floor(index / rows) * (SPAN / COLUMNS);
    const y = top + ((index % rows) + 1) * LEGEND_ROW;
    return `  <rect fill="${fill}" x="${x}" y="${y - 11}" width="13" height="13" rx="2"/><text class="note" x="${x + 20}" y="${y}">${own ? 'ours: ' : ''}${title}</text>`;
  });
  const head = `  <text class="note" x="${MARGIN}" y="${top}">Share of the samples of V8's profiler, ${node}. A sample belongs to the innermost function.</text>`;
  return [head, ...entries].join('\n');
}

function sharesAsText({ shares }, owners) {
  const shown = owners.filter(({ name }) => (shares[name] ?? 0) >= 0.005);
  return shown.map(({ name, title }) => `${title} ${Math.round(shares[name] * 100)} %`).join(', ');
}
