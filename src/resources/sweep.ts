import {
  AuthenticationError,
  ConfigurationError,
  InvalidRequestError,
  MissingPermissionError,
  RateLimitError,
  RedirectError,
} from '../core/errors/index.js';
import { isOutage } from '../core/retry.js';

/** Errors that every other call would cause, too: those of the key, of its limits, and of the call itself. */
const OF_EVERY_CALL = [
  AuthenticationError,
  ConfigurationError,
  InvalidRequestError,
  MissingPermissionError,
  RateLimitError,
  RedirectError,
];

/** Work on many targets, one after the other. Decides which failures end it. */
export class Sweep {
  #isDown = false;

  /** @internal Notes a target that succeeded. */
  succeed(): void {
    this.#isDown = false;
  }

  /**
   * @internal
   * Notes a target that failed. Returns whether the others would fail, too: at once if the error concerns every call, and at
   * the second outage without a success in between, so that an outage costs few requests.
   */
  fail(error: unknown): boolean {
    const wasDown = this.#isDown;
    const isDown = isOutage(error);
    this.#isDown ||= isDown;
    return OF_EVERY_CALL.some((kind) => error instanceof kind) || (isDown && wasDown);
  }
}
