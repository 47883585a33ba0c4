type Method = (this: unknown, ...given: unknown[]) => unknown;

/** No option has this name, so the call is refused like any other with wrong options. `issues.ts` has the message. */
const TOO_MANY = { arguments: true };

/**
 * Makes the methods of a class refuse a call with more arguments than they take, such as `bulles.list({}, { signal })`. The
 * options would be ignored silently. The options are the last argument of every method.
 */
export function refuseMore({ prototype }: { readonly prototype: object }, names = Object.keys(methodsOf(prototype))) {
  for (const name of names) {
    const { [name]: method } = methodsOf(prototype);
    if (name === 'constructor' || !method) continue;
    // A rest parameter, that of parameters and options, does not count.
    const most = method.length || 2;
    const strict: Method = function (...given) {
      const isMore = given.slice(most).some((value) => value !== undefined);
      return method.apply(this, isMore ? [...given.slice(0, most - 1), TOO_MANY] : given);
    };
    const value = Object.defineProperties(strict, Object.getOwnPropertyDescriptors(method));
    Object.defineProperty(prototype, name, { value, writable: true, configurable: true });
  }
}

function methodsOf(prototype: object): Record<string, Method | undefined> {
  const entries = Object.entries(Object.getOwnPropertyDescriptors(prototype));
  return Object.fromEntries(
    entries.filter(([, { value }]) => typeof value === 'function').map(([name, { value }]) => [name, value as Method]),
  );
}
