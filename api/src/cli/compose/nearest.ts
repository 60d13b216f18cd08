/** Up to three entries of `known` that are similar to `given`, most similar first. */
export function nearest(given: string, known: readonly string[]): string[] {
  const most = Math.max(2, Math.ceil(given.length / 3));
  return known
    .map((name) => ({ name, distance: name.includes(given) ? 1 : editDistance(given, name) }))
    .filter(({ distance }) => distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

/** Levenshtein distance (1966). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (const [j, other] of [...b].entries())
      next.push(Math.min(next[j]! + 1, row[j + 1]! + 1, row[j]! + (letter === other ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
