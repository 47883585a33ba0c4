import type { Issue } from './types.js';

/**
 * Replaces the options if a call has too many arguments. No schema accepts it, so the call is refused like other
 * invalid calls.
 */
export class Surplus {
  readonly issues: Issue[];

  constructor(position: number) {
    this.issues = [{ path: ['options'], message: `must be argument ${position}: the call has too many arguments` }];
  }
}

/** The prototypes whose methods refuse surplus arguments. */
const covered = new WeakSet<object>();

/**
 * Makes the methods of a prototype refuse surplus arguments, and also the methods of each resource of the instance. In
 * JavaScript, options that are passed one argument too late would be ignored silently.
 *
 * A constructor calls this function. A call at the end of a module would keep its classes in bundles that do not use
 * them.
 *
 * The `length` of a method is the number of its arguments, and the last argument is the options. So no parameter of
 * these methods may have a default value. A function of length 0 is not our method: a test has replaced the method.
 */
export function refuseSurplus(
  instance: object,
  prototype: object = Object.getPrototypeOf(instance),
  except: readonly string[] = [],
): void {
  if (covered.has(prototype)) return;
  covered.add(prototype);
  for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor' || except.includes(name) || !(value?.length > 0)) continue;
    Object.defineProperty(prototype, name, { value: refusing(value) });
  }
  for (const resource of Object.values(instance)) refuseSurplus(resource);
}

/** A proxy keeps the name and the length of the method, unlike a function around it. */
function refusing(method: (...given: unknown[]) => unknown): typeof method {
  return new Proxy(method, {
    apply(_, self, given: unknown[]) {
      const { length } = method;
      const isSurplus = given.slice(length).some((value) => value !== undefined);
      return Reflect.apply(method, self, isSurplus ? [...given.slice(0, length - 1), new Surplus(length)] : given);
    },
  });
}
