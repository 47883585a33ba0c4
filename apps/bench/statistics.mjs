/** The value below which the given share of the samples lies, between two of them where it falls between. */
export function quantile(samples, share) {
  const sorted = [...samples].sort((a, b) => a - b);
  const place = (sorted.length - 1) * share;
  const below = Math.floor(place);
  return sorted[below] + (place - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

export const median = (samples) => quantile(samples, 0.5);

/**
 * Take one sample of each in turn, round after round, beginning with another each time: what disturbs the machine
 * disturbs them alike, and none always comes first.
 *
 * @template T
 * @param {readonly T[]} items
 * @param {number} rounds
 * @param {(item: T) => number | Promise<number>} sample
 * @returns {Promise<Map<T, number[]>>}
 */
export async function interleave(items, rounds, sample) {
  const samples = new Map(items.map((item) => [item, []]));
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < items.length; turn++) {
      const item = items[(round + turn) % items.length];
      samples.get(item).push(await sample(item));
    }
  }
  return samples;
}
