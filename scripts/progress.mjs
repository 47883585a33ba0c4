/** How often a line is printed, in ms. */
const INTERVAL = 5000;

/** A reporter of Vitest that prints how far a run is, since a busy machine takes minutes. It does not keep the process alive. */
export class Progress {
  #files = 0;
  #done = 0;
  #failed = 0;
  #started = 0;
  /** @type {NodeJS.Timeout | undefined} */
  #timer;

  /** @param {readonly unknown[]} specifications */
  onTestRunStart(specifications) {
    [this.#files, this.#done, this.#failed, this.#started] = [specifications.length, 0, 0, performance.now()];
    console.log(`Running ${this.#files} test files …`);
    this.#timer = setInterval(() => this.#print(), INTERVAL).unref();
  }

  /** @param {{ ok(): boolean }} module */
  onTestModuleEnd(module) {
    this.#done += 1;
    if (!module.ok()) this.#failed += 1;
  }

  onTestRunEnd() {
    clearInterval(this.#timer);
  }

  #print() {
    const seconds = Math.round((performance.now() - this.#started) / 1000);
    const failed = this.#failed > 0 ? `, ${this.#failed} failed` : '';
    console.log(`${this.#done} of ${this.#files} test files${failed} (${seconds} s)`);
  }
}
