import { replaceFile } from '@multilocal/stores/files';
import { sha256 } from '../words.js';
import { type Findings, placeOf } from './placed-action.js';

/** Writes the file that GitLab reads as a code-quality report, and shows in the merge request. */
export async function reportToGitlab(file: string, findings: Findings): Promise<void> {
  // Replaces a symbolic link of the checkout, and does not write through it.
  const report = gitlabReport(file, findings, process.env.CI_PROJECT_DIR ?? process.cwd());
  await replaceFile('gl-code-quality-report.json', report);
}

/** Returns findings as a code-quality report. */
export function gitlabReport(file: string, { problems, warnings }: Findings, project: string): string {
  const entries = [...problems, ...warnings].map((one, index) => {
    const { code } = one;
    const { path, line, column, message } = placeOf(project, file, one);
    return {
      description: message,
      check_name: `multilocal/${code}`,
      // Two equal problems must have different fingerprints.
      fingerprint: sha256(JSON.stringify([path, code, message, column, index])),
      severity: index < problems.length ? 'major' : 'minor',
      location: { path, lines: { begin: line } },
    };
  });
  return `${JSON.stringify(entries, null, 2)}\n`;
}
