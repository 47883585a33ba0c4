/** Milliseconds until a reservation expires. Some runtimes end a run together with the visit that began it. */
const LEASE = 30_000;

/** The lease of a store that only one process uses. */
export function leaseInProcess(): () => (() => void) | null {
  let until = Number.NEGATIVE_INFINITY;
  let owner: object | undefined;
  return () => {
    if (performance.now() < until) return null;
    const own = {};
    owner = own;
    until = performance.now() + LEASE;
    return () => {
      if (owner === own) until = Number.NEGATIVE_INFINITY;
    };
  };
}
