import { resolve } from 'node:path';
import { replaceFile } from '@multilocal/stores/files';
import { repeated } from '../command.js';
import { UsageError } from '../failure.js';
import type { Output } from '../output.js';
import { USAGE } from '../usage-said.js';
import { showOnGithub } from './github.js';
import { reportToGitlab } from './gitlab.js';
import type { Findings } from './placed-action.js';

/** The flag that says which files a command writes for CI. */
export const REPORT = repeated('gitlab, or markdown=<file> for a comment (repeatable)', 'kind');

/** What CI shows of a plan: annotations and the summary of a job on GitHub, a report for GitLab, and a comment in Markdown. */
export class Reports {
  readonly #isForGitLab: boolean;
  readonly #comments: readonly string[];
  /** What was shown so far. Files are written again with all of it. */
  #shown: Findings = { problems: [], warnings: [] };
  #text = '';

  /**
   * `others`: files of the command besides the plan.
   * @throws {UsageError} if a value of the flag is unknown, or the comment would replace one of the files.
   */
  constructor(
    private readonly output: Output,
    private readonly file: string,
    wanted: readonly string[],
    others: readonly (string | undefined)[],
  ) {
    const unknown = wanted.find((one) => one !== 'gitlab' && !/^markdown=./.test(one));
    if (unknown !== undefined) throw new UsageError(...USAGE.report());
    this.#isForGitLab = wanted.includes('gitlab');
    this.#comments = wanted.filter((one) => one !== 'gitlab').map((one) => one.slice('markdown='.length));
    refuseSameFile([...this.#comments, file, ...others]);
  }

  /** Shows what was found since the last call, and a text in Markdown. Both are without the key. */
  async show({ problems, warnings }: Findings, text: string): Promise<void> {
    this.#shown = {
      problems: [...this.#shown.problems, ...problems],
      warnings: [...this.#shown.warnings, ...warnings],
    };
    this.#text += this.#text === '' ? text : `\n${text}`;
    if (process.env.GITHUB_ACTIONS === 'true') {
      await showOnGithub(this.output, this.file, { problems, warnings }, text);
    }
    if (this.#isForGitLab) await reportToGitlab(this.file, this.#shown);
    for (const comment of this.#comments) await replaceFile(comment, this.#text);
  }
}

/** A wrong word on the command line must not replace what the command reads. */
export function refuseSameFile(files: readonly (string | undefined)[]): void {
  const paths = files.flatMap((file) => (file === undefined ? [] : [resolve(file)]));
  if (new Set(paths).size !== paths.length) throw new UsageError(...USAGE.sameFile());
}
