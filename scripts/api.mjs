// The API report of each entry, etc/<entry>.api.md: what users will notice of a change. `npm run api` writes the reports,
// `npm run check` compares them. Not of the main entry alone: half of the types of the other entries stand in no test and no guide, and
// nothing else would show that one of them changed or left.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// The package is CommonJS, and reads a part of it when it is asked for.
const { CompilerState, Extractor, ExtractorConfig } = createRequire(import.meta.url)('@microsoft/api-extractor');
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const entries = Object.values(exports).flatMap((formats) => formats.import?.types ?? []);
const isWritten = process.argv.includes('--write');
const quiet = { default: { logLevel: 'none' } };

const configs = entries.map((types) => {
  const name = types
    .replace('./dist/', '')
    .replace(/(\/index)?\.d\.ts$/, '')
    .replace('/', '-');
  return ExtractorConfig.prepare({
    configObjectFullPath: join(root, 'api-extractor.json'),
    packageJsonFullPath: join(root, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: join(root, types),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            module: 'nodenext',
            target: 'es2022',
            lib: ['es2023', 'dom', 'dom.iterable'],
            types: [],
            skipLibCheck: true,
          },
          files: entries,
        },
      },
      apiReport: {
        enabled: true,
        // A type that is not exported and that an exported one names is part of the API, once.
        includeForgottenExports: name === 'index',
        reportFolder: join(root, 'etc'),
        reportFileName: `${name}.api.md`,
        reportTempFolder: join(root, 'node_modules/.cache/api-extractor'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      newlineKind: 'lf',
      messages: {
        compilerMessageReporting: quiet,
        extractorMessageReporting: { ...quiet, 'ae-forgotten-export': { logLevel: 'none', addToApiReportFile: false } },
        tsdocMessageReporting: quiet,
      },
    },
  });
});

mkdirSync(join(root, 'etc'), { recursive: true });
const compilerState = CompilerState.create(configs[0], {
  additionalEntryPoints: configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
});
const stale = [];
for (const config of configs) {
  const { apiReportChanged } = Extractor.invoke(config, {
    localBuild: isWritten,
    compilerState,
    messageCallback: (message) => {
      message.handled = true;
    },
  });
  if (apiReportChanged) stale.push(config.reportFilePath.slice(root.length + 1));
}
const known = new Set(configs.map(({ reportFilePath }) => reportFilePath));
for (const name of readdirSync(join(root, 'etc'))) {
  const path = join(root, 'etc', name);
  if (known.has(path) || !existsSync(path)) continue;
  if (isWritten) rmSync(path);
  else stale.push(`etc/${name}`);
}
if (stale.length > 0) console.log(`${isWritten ? 'Changed' : 'Not up to date'}: ${stale.join(', ')}`);
process.exitCode = stale.length > 0 && !isWritten ? 1 : 0;
