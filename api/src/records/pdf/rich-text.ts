import type { Ink } from './theme.ts';

/** Style of a text run. There is one object per style: they are compared by identity. */
export interface Look {
  ink: Ink;
  isBold: boolean;
  /** Whether it has a background tint, like code. */
  isTinted: boolean;
}

/** Styled text. Run n covers the units from the end of run n − 1 to before its own `end`. */
export interface RichText {
  text: string;
  runs: { end: number; look: Look }[];
}

export type RichTextBuilder = ReturnType<typeof createRichText>;

/** @param clean Returns the printable form of a text, see `cleanText`. */
export function createRichText(clean: (text: string) => string) {
  let text = '';
  const runs: RichText['runs'] = [];
  return {
    add(more: string, look: Look): void {
      const cleaned = clean(more);
      if (cleaned === '') return;
      text += cleaned;
      const last = runs.at(-1);
      if (last?.look === look) last.end = text.length;
      else runs.push({ end: text.length, look });
    },
    build: (): RichText => ({ text, runs }),
  };
}

const cache = new Map<string, Look>();

/** The unique object of a style. */
export function look(ink: Ink, how: { isBold?: boolean; isTinted?: boolean } = {}): Look {
  const { isBold = false, isTinted = false } = how;
  const name = `${ink} ${isBold} ${isTinted}`;
  const known = cache.get(name);
  if (known) return known;
  const made = { ink, isBold, isTinted };
  cache.set(name, made);
  return made;
}
