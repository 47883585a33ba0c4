// What a test run prints: failures, and one line for each folder of tests. `--reporter=verbose` prints every test.
import { dirname, relative } from 'node:path';
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node';

interface Folder {
  filesLeft: number;
  passed: number;
  failed: number;
  skipped: number;
  /** Milliseconds of all its files together. Files run at the same time, so this is more than the wait. */
  duration: number;
}

export default class QuietReporter extends DefaultReporter {
  #folders = new Map<string, Folder>();

  constructor() {
    super({ summary: false });
  }

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#folders.clear();
    for (const { project, moduleId } of specifications) this.#folderOf(project.name, moduleId).filesLeft++;
  }

  protected override printTestModule(module: TestModule): void {
    const name = this.#nameOf(module.project.name, module.moduleId);
    const folder = this.#folderOf(module.project.name, module.moduleId);
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state !== 'pending') folder[state]++;
      if (test.diagnostic()?.flaky) this.log(`↻ passed at the second attempt: ${name} > ${test.fullName}`);
    }
    if (module.state() === 'failed') this.log(`✗ ${relative(this.ctx.config.root, module.moduleId)}`);
    folder.duration += module.diagnostic().duration;
    folder.filesLeft--;
    if (folder.filesLeft === 0) this.log(lineOf(name, folder));
  }

  override reportTestSummary(...[files, errors]: Parameters<DefaultReporter['reportTestSummary']>): void {
    const all = [...this.#folders.values()];
    const sum = (key: keyof Folder) => all.reduce((total, folder) => total + folder[key], 0);
    const failedFiles = files.filter(({ result }) => result?.state === 'fail').length;
    const seconds = ((this.end - this.start) / 1000).toFixed(0);
    const failures = failedFiles + errors.length > 0 ? `, ${sum('failed')} failed in ${failedFiles} files` : '';
    this.log(`${failures ? '✗' : '✓'} ${sum('passed')} tests passed${failures} (${seconds} s)`);
    if (errors.length > 0) this.log(`✗ ${errors.length} errors outside of tests`);
  }

  #nameOf(project: string, file: string): string {
    return `${project}: ${dirname(relative(this.ctx.config.root, file))}`;
  }

  #folderOf(project: string, file: string): Folder {
    const name = this.#nameOf(project, file);
    const folder = this.#folders.get(name) ?? { filesLeft: 0, passed: 0, failed: 0, skipped: 0, duration: 0 };
    this.#folders.set(name, folder);
    return folder;
  }
}

function lineOf(name: string, { passed, failed, skipped, duration }: Folder): string {
  const counts = [`${passed} passed`, failed && `${failed} failed`, skipped && `${skipped} skipped`].filter(Boolean);
  return `${failed ? '✗' : '✓'} ${name}: ${counts.join(', ')} (${(duration / 1000).toFixed(1)} s)`;
}
