// Gives the version that `changeset version` has just written into CHANGELOG.md the form of Keep a Changelog: a date,
// and the entries below the headings that they name: "Added: `posts.list` takes `status`."
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const HEADINGS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];

/** `## 0.2.0`, below the title, and everything that changesets write below it. */
const WRITTEN = /^## (\d\S*)\n((?:(?:###|-| ).*\n|\n)*)/m;

export function keepAChangelog(changelog, date) {
  const [written, version, body] = WRITTEN.exec(changelog) ?? [];
  if (written === undefined) return changelog;
  const entries = body
    .replaceAll(/^###.*\n/gm, '')
    .split(/^- (?:[0-9a-f]{7}: )?/m)
    .slice(1)
    .map((entry) => {
      const [, heading, text] = /^(\w+): (.+)/s.exec(entry) ?? [];
      return HEADINGS.includes(heading) ? { heading, text } : { heading: 'Changed', text: entry };
    });
  const sections = HEADINGS.flatMap((heading) => {
    const lines = entries.filter((entry) => entry.heading === heading).map(({ text }) => `- ${text.trim()}\n`);
    return lines.length > 0 ? `### ${heading}\n${lines.join('')}\n` : [];
  });
  const release = `## [${version}] - ${date}\n\n${sections.join('')}`;
  return changelog.replace(written, '').replace(/^(?=## \[)/m, () => release);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const file = fileURLToPath(new URL('../CHANGELOG.md', import.meta.url));
  const today = new Date().toISOString().slice(0, 10);
  writeFileSync(file, keepAChangelog(readFileSync(file, 'utf8'), today));
}
