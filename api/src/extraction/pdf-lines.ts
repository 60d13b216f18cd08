/** A run of text on a page, measured from its upper left corner in points. */
export interface TextRun {
  text: string;
  x: number;
  /** Base line. */
  y: number;
  width: number;
  size: number;
}

export interface Line {
  text: string;
  x: number;
  right: number;
  y: number;
  /** Of most of its characters. */
  size: number;
  /** Whether wide gaps divide it into columns, as a row of a table. */
  isRow: boolean;
}

/** Scripts that put no spaces between words. */
export const wide = /[\u2e80-\u303f\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]/;

/** Puts runs in the order of the file into lines. */
export function linesOf(runs: readonly TextRun[]): Line[] {
  const lines: Line[] = [];
  let current: TextRun[] = [];
  for (const run of runs) {
    const last = current.at(-1);
    if (last && !isSameLine(last, run)) {
      lines.push(toLine(current));
      current = [];
    }
    current.push(run);
  }
  if (current.length > 0) lines.push(toLine(current));
  return lines.filter(({ text }) => text !== '');
}

function isSameLine(last: TextRun, run: TextRun): boolean {
  const size = Math.max(last.size, run.size);
  // A raised note or a lowered index still stands in its line; what begins again at the left does not.
  return Math.abs(run.y - last.y) < size * 0.5 && run.x > last.x + last.width - size * 2;
}

function toLine(runs: readonly TextRun[]): Line {
  const { size } = runs.reduce((most, run) =>
    run.text.trim().length > most.text.trim().length ? run : most,
  );
  let text = '';
  let isRow = false;
  for (const [index, run] of runs.entries()) {
    const before = runs[index - 1];
    if (before) {
      const gap = run.x - (before.x + before.width);
      if (gap > size * 1.5 && text.trim() !== '') {
        isRow = true;
        text = `${text.trimEnd()}  `;
      } else if (needsSpace(text, run.text, gap, size)) text += ' ';
    }
    text += run.text;
  }
  const right = Math.max(...runs.map((run) => run.x + run.width));
  return { text: text.trim(), x: runs[0]!.x, right, y: runs[0]!.y, size, isRow };
}

function needsSpace(before: string, after: string, gap: number, size: number): boolean {
  if (/\s$/.test(before) || /^\s/.test(after)) return false;
  const areWide = wide.test(before.at(-1) ?? '') && wide.test(after[0] ?? '');
  return gap > size * (areWide ? 0.6 : 0.15);
}
