let made: unknown;

/** A page has one copy of the package, and this is of use to one thing in it. */
export function shared<T>(_name: string, make: () => T): T {
  made ??= make();
  return made as T;
}
