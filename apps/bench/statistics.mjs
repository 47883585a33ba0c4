/** The value below which the given share of the samples lies, between two of them where it falls between. */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  return sorted[below] + (place - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

export const median = (samples) => quantile(samples, 0.5);

/**
 * Takes one sample of each item, round after round, in a random order each time: what disturbs the machine disturbs them
 * alike, and no item always comes after the same other one.
 *
 * @template T, Sample
 * @param {readonly T[]} items
 * @param {number} rounds
 * @param {(item: T) => Sample | Promise<Sample>} sample
 * @returns {Promise<Map<T, Sample[]>>}
 */
export async function interleave(items, rounds, sample) {
  const samples = new Map(items.map((item) => [item, []]));
  for (let round = 0; round < rounds; round++) {
    const order = items.map((item) => ({ item, place: Math.random() })).sort((a, b) => a.place - b.place);
    for (const { item } of order) samples.get(item).push(await sample(item));
  }
  return samples;
}
