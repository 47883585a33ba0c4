// Makes true what only a release makes true. `GITHUB_REPOSITORY=owner/name node scripts/release.mjs` marks the files of the repository: the
// owner, the date, what a page says before or after the first release. With `--package`, which `npm publish` calls in CI, it also gives whole
// addresses to links that lead out of the package. The repository keeps relative links, which work in every clone.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const PLACEHOLDER = 'OWNER/multilocal';
/** What no file may say after a release. */
const LEFT = /\bOWNER\b|the first release -->|- unreleased|not on npm yet|[Uu]ntil 0\.1\.0/;

/** The texts that people and registries read. */
export function texts() {
  const names = execFileSync('git', ['ls-files', '*.md', '*.json', '*.yml', '*.yaml'], { cwd: root, encoding: 'utf8' });
  return names.split('\n').filter((name) => name !== '' && existsSync(join(root, name)));
}

/** A text as the release leaves it. */
export function released(text, repository, date = new Date().toISOString().slice(0, 10)) {
  return text
    .replaceAll(PLACEHOLDER, repository)
    .replace(/<!-- until the first release -->\n[\s\S]*?<!-- \/until the first release -->\n\n?/g, '')
    .replace(/<!-- from the first release on\n([\s\S]*?)the first release -->\n/g, '$1')
    .replace(/^(## \[\d+\.\d+\.\d+\]) - unreleased$/m, `$1 - ${date}`);
}

/** What a released text still says that is not true any more. */
export const leftIn = (text) => text.split('\n').filter((line) => LEFT.test(line));

/** A page of the package: what is not in the package is at the repository. */
export function packed(page, text, repository) {
  const whole = (link, isPicture) => {
    const [, path, rest] = /^([^?#]*)(.*)$/.exec(link);
    const target = posix.join(posix.dirname(page), path);
    if (/^([a-z]+:|#|$)/i.test(link) || ships(target) || !existsSync(join(root, target))) return link;
    const kind = isPicture ? 'raw' : statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
    return `https://github.com/${repository}/${kind}/main/${target}${rest}`;
  };
  return text
    .replace(/(!?)(\[[^\]]*\]\()([^)\s]+)\)/g, (_, sign, words, link) => `${sign}${words}${whole(link, sign !== '')})`)
    .replace(/\b(src|srcset)="([^"]+)"/g, (_, name, link) => `${name}="${whole(link, true)}"`);
}

/** Whether the package has a file or a folder. */
function ships(path) {
  const { files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const names = ['README.md', 'LICENSE', 'package.json', ...files];
  return names.some((name) => new RegExp(`^${name.replaceAll('.', '\\.').replace('*', '[^/]*')}(/|$)`).test(path));
}

function release(repository, isPackage) {
  const problems = [];
  for (const name of texts()) {
    const text = readFileSync(join(root, name), 'utf8');
    const marked = released(text, repository);
    problems.push(...leftIn(marked).map((line) => `${name}: ${line}`));
    const result = isPackage && name.endsWith('.md') && ships(name) ? packed(name, marked, repository) : marked;
    if (result !== text) writeFileSync(join(root, name), result);
  }
  return problems;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { GITHUB_REPOSITORY: repository = '', CI } = process.env;
  const isPackage = process.argv.includes('--package');
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository)) throw new Error('GITHUB_REPOSITORY=owner/name names the repository.');
  if (isPackage && !CI) throw new Error('Only CI publishes: this would change the links of your clone.');
  const problems = release(repository, isPackage);
  if (problems.length > 0) {
    console.error(`scripts/release.mjs does not know these:\n${problems.join('\n')}`);
    process.exit(1);
  }
}
