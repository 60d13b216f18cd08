/** Comparison of one file; `coverage` is null if the other reader finds no words. */
export interface Compared {
  coverage: number | null;
  hasNotice: boolean;
  /** Code of the refusal, null if the file was read. */
  refused: string | null;
}

/** Words of a text; each Chinese, Japanese or Korean character counts as one. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .match(/[\u2e80-\u9fff\uac00-\ud7af]|(?:(?![\u2e80-\u9fff\uac00-\ud7af])[\p{L}\p{N}])+/gu) ?? []
  );
}

/** Share of the `expected` words, with repetitions, that `found` contains at least as often; null without words. */
export function coverageOf(expected: string[], found: string[]): number | null {
  if (expected.length === 0) return null;
  const left = new Map<string, number>();
  for (const word of found) left.set(word, (left.get(word) ?? 0) + 1);
  let covered = 0;
  for (const word of expected) {
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    covered += 1;
    left.set(word, count - 1);
  }
  return covered / expected.length;
}

/** Figures of one kind of file. Refused files are counted by reason and not in the coverage. */
export function figuresOf(files: readonly Compared[]) {
  const measured = files.filter((file) => file.refused === null && file.coverage !== null);
  const below = (limit: number) => measured.filter(({ coverage }) => (coverage ?? 1) < limit);
  const refused: Record<string, number> = {};
  for (const { refused: reason } of files) if (reason !== null) refused[reason] = (refused[reason] ?? 0) + 1;
  const sum = measured.reduce((total, { coverage }) => total + (coverage ?? 0), 0);
  return {
    files: files.length,
    measured: measured.length,
    mean: measured.length === 0 ? null : sum / measured.length,
    below50: below(0.5).length,
    below90: below(0.9).length,
    below99: below(0.99).length,
    silentBelow50: below(0.5).filter(({ hasNotice }) => !hasNotice).length,
    refused,
  };
}
