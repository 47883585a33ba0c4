// Writes what users see of the present build to etc/: the public surface of each entry, and the files of the package.
// With --check it says instead which surfaces are stale.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { root } from './run.js';
import { tarballList } from './tarball.js';

const ENTRIES = ['index', 'articles', 'mock/index', 'mock/server', 'node', 'proxy'];
const check = process.argv.includes('--check');
const etc = join(root, 'etc');
const drafts = mkdtempSync(join(tmpdir(), 'multilocal-api-'));

try {
  mkdirSync(etc, { recursive: true });
  for (const entry of ENTRIES) {
    const name = `${entry.replace('/', '-')}.api.md`;
    const file = join(etc, name);
    const text = surfaceOf(entry, name);
    const stale = !existsSync(file) || readFileSync(file, 'utf8') !== text;
    if (!check) writeFileSync(file, text);
    else if (stale) {
      console.error(`The public surface is not that of etc/${name}. If that is meant: npm run api, and a changeset.`);
      process.exitCode = 1;
    }
  }
  if (!check) writeFileSync(join(etc, 'tarball.txt'), tarballList());
} finally {
  rmSync(drafts, { recursive: true, force: true });
}

function surfaceOf(entry: string, reportFileName: string): string {
  const mainEntryPointFilePath = join(root, 'dist', `${entry}.d.ts`);
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath,
      compiler: {
        // The built types alone: the tsconfig of the repository would have it read every source.
        overrideTsconfig: {
          compilerOptions: { module: 'nodenext', target: 'es2022', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
          files: [mainEntryPointFilePath],
        },
      },
      apiReport: {
        enabled: true,
        // Types that no entry exports and signatures name are part of the surface too.
        includeForgottenExports: true,
        reportFolder: drafts,
        reportTempFolder: join(drafts, 'temp'),
        reportFileName,
      },
      newlineKind: 'lf',
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  });
  const errors: string[] = [];
  Extractor.invoke(config, {
    localBuild: true,
    messageCallback: (message) => {
      // What would otherwise go to the console: that each draft is new.
      message.handled = true;
      if (message.logLevel === 'error') errors.push(message.formatMessageWithLocation(root));
    },
  });
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return readFileSync(join(drafts, reportFileName), 'utf8');
}
