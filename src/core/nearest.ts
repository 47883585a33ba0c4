/**
 * Returns the known name that was probably meant. Only letters count, so `updatedSince` is `updated_since`. A known name may
 * also be the end of a longer one: `since` of `updated_since`.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const letters = (text: string) => text.toLowerCase().replace(/[^a-z]/g, '');
  // No name is that long.
  const given = letters(name.slice(0, 100));
  const distances = known.map((other) => distanceOf(given, letters(other)));
  const least = Math.min(...distances);
  return least <= given.length / 2
    ? known[distances.indexOf(least)]
    : known.find((other) => name.endsWith(`_${other}`));
}

/** Returns how many letters differ, are missing or are too many (Levenshtein). */
function distanceOf(given: string, other: string): number {
  const row = Array.from(`${other} `, (_, index) => index);
  const at = (index: number) => row[index] as number;
  for (const letter of given) {
    let before = at(0);
    row[0] = before + 1;
    for (let index = 1; index < row.length; index++) {
      const changed = before + Number(letter !== other[index - 1]);
      before = at(index);
      row[index] = Math.min(before + 1, at(index - 1) + 1, changed);
    }
  }
  return at(other.length);
}
