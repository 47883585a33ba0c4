/** Increase it when the shape of the stored data changes. The page then ignores data of older versions. */
const VERSION = 1;

/**
 * A value in Web Storage. If the storage is full, switched off or damaged, the value is kept as long as the page is
 * open.
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
      // The old value is removed first: if there is no room for the new one, the old one must not come back.
      localStorage.removeItem(this.#key);
      localStorage.setItem(this.#key, JSON.stringify(value));
    } catch {
      // Full, or switched off.
    }
  }
}
