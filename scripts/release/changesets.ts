import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The headings of Keep a Changelog, in its order. */
const HEADINGS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'] as const;

/** The texts of the changesets that wait for a release; throws where one is not written as .changeset/README.md asks. */
export function readChangesets(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .sort()
    .flatMap((name) => {
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n');
      const [, bump = '', body] = /^---\n(.*?)---\n(.*)$/s.exec(text) ?? [];
      if (body === undefined) throw new Error(`.changeset/${name} does not begin with the version that it asks for`);
      // `changeset add --empty`: the change needs no release.
      if (bump.trim() === '' && body.trim() === '') return [];
      sectionsOf(body, `.changeset/${name}`);
      return body;
    });
}

/** The changelog with one more version: what the changesets say, gathered below the headings they share. */
export function withRelease(changelog: string, version: string, date: string, changesets: readonly string[]): string {
  const sections = changesets.flatMap((text) => sectionsOf(text, 'changeset'));
  const release = HEADINGS.flatMap((heading) => {
    const texts = sections.filter((section) => section.heading === heading).map(({ text }) => text);
    return texts.length > 0 ? `### ${heading}\n${texts.join('\n')}\n` : [];
  });
  const latest = /^## \[\d/m.exec(changelog)?.index ?? changelog.length;
  return `${changelog.slice(0, latest)}## [${version}] - ${date}\n\n${release.join('\n')}\n${changelog.slice(latest)}`;
}

function sectionsOf(body: string, name: string): { heading: string; text: string }[] {
  const [before = '', ...parts] = body.split(/^### /m);
  const sections = parts.map((part) => {
    const [heading = '', ...lines] = part.split('\n');
    return { heading: heading.trim(), text: lines.join('\n').trim() };
  });
  const known: readonly string[] = HEADINGS;
  const right = sections.length > 0 && sections.every(({ heading, text }) => known.includes(heading) && text !== '');
  if (before.trim() !== '' || !right) {
    throw new Error(
      `${name}: every line belongs below one of ${HEADINGS.map((heading) => `### ${heading}`).join(', ')}`,
    );
  }
  return sections;
}
