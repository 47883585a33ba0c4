/** A thing that all copies of the package in a process share (ESM beside CommonJS, two versions), made by the first. */
export function shared<T>(name: string, make: () => T): T {
  const symbol = Symbol.for(`multilocal.${name}`);
  const holder = globalThis as { [name: symbol]: unknown };
  holder[symbol] ??= make();
  return holder[symbol] as T;
}
