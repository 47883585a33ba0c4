/** The known name that a misspelt one was meant to be: begun by it, or two edits or a third of its own length away. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const given = name.toLowerCase();
  const begun = given.length > 2 ? known.find((candidate) => candidate.startsWith(given)) : undefined;
  for (let edits = 0; !begun && edits <= 8; edits++) {
    const found = known.find(
      (candidate) => edits <= Math.max(2, candidate.length / 3) && isNear(given, candidate, edits),
    );
    if (found) return found;
  }
  return begun;
}

/** Whether so many letters added, left out or changed make one of the other. */
function isNear(a: string, b: string, edits: number): boolean {
  if (a === b) return true;
  const [restA, restB] = [a.slice(1), b.slice(1)];
  if (a[0] === b[0]) return isNear(restA, restB, edits);
  return (
    edits > 0 &&
    [
      [restA, restB],
      [restA, b],
      [a, restB],
    ].some(([c, d]) => isNear(c as string, d as string, edits - 1))
  );
}
