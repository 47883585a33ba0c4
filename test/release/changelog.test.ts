import { describe, expect, it } from 'vitest';
import { keepAChangelog } from '../../scripts/changelog.mjs';

const INTRO = 'All notable changes.\n\n';
const BEFORE = '## [0.1.0] - 2026-11-21\n\n### Added\n- `Client`.\n';

/** As `changeset version` leaves it: the new version stands right below the title. */
const written = `# Changelog

## 0.2.0
### Minor Changes

- 71ea2b0: Added: \`posts.list\` takes \`status\`,
  on two lines.
- 71ea2b1: A change without a heading.
- Added: something that costs $1.

### Patch Changes

- 71ea2b2: Fixed: a bug.

${INTRO}${BEFORE}`;

describe('a release in the changelog', () => {
  it('gets its date and the headings that its changesets name, above the release before', () => {
    expect(keepAChangelog(written, '2026-12-01')).toBe(`# Changelog

${INTRO}## [0.2.0] - 2026-12-01

### Added
- \`posts.list\` takes \`status\`,
  on two lines.
- something that costs $1.

### Changed
- A change without a heading.

### Fixed
- a bug.

${BEFORE}`);
  });

  it('stays as it is where no version was written', () => {
    const changelog = `# Changelog\n\n${INTRO}${BEFORE}`;
    expect(keepAChangelog(changelog, '2026-12-01')).toBe(changelog);
  });
});
