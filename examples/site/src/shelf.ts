/** Goes up when what is stored changes its shape: what older versions of the page have left is then not read. */
const VERSION = 1;

/**
 * A value in Web Storage. Storage that is full, switched off or was tampered with is no reason to fail: the value is
 * then kept as long as the page is open.
 */
export class Shelf<T> {
  readonly #key: string;
  readonly #isValid: (value: unknown) => value is T;
  #value: T | undefined;

  constructor(name: string, isValid: (value: unknown) => value is T) {
    this.#key = `journal/v${VERSION}/${name}`;
    this.#isValid = isValid;
  }

  read(): T | undefined {
    try {
      const value: unknown = JSON.parse(localStorage.getItem(this.#key) ?? 'null');
      if (this.#isValid(value)) return value;
    } catch {
      // No storage, or no JSON in it.
    }
    return this.#value;
  }

  write(value: T): void {
    this.#value = value;
    try {
      // First: where the new value finds no room, the old one must not come back.
      localStorage.removeItem(this.#key);
      localStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // Full, or switched off.
    }
  }
}
