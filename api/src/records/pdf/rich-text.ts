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

/** Lengths are in points. A4; the body is as wide as 46 Chinese characters. */
export const page = { width: 595.28, height: 841.89, left: 56, right: 56, top: 72, bottom: 64 } as const;
export const bodyWidth = page.width - page.left - page.right;

/** Fill colours in the syntax of content streams, from the design tokens. */
export const ink = {
  ink: '0.071 0.094 0.106',
  ink2: '0.263 0.31 0.333',
  ink3: '0.353 0.404 0.427',
  accent: '0.043 0.376 0.502',
  accentSoft: '0.878 0.937 0.957',
  line: '0.882 0.906 0.918',
  line2: '0.8 0.835 0.851',
  sheet2: '0.961 0.973 0.976',
  sheet3: '0.922 0.941 0.949',
} as const;
export type Ink = keyof typeof ink;

export interface TypeSize {
  size: number;
  leading: number;
}
export const type = {
  display: { size: 24, leading: 34 },
  title: { size: 16, leading: 24 },
  day: { size: 13, leading: 20 },
  heading: { size: 10.5, leading: 17 },
  question: { size: 11, leading: 17.5 },
  body: { size: 10, leading: 16.5 },
  code: { size: 8.8, leading: 13.5 },
  table: { size: 9, leading: 13.8 },
  small: { size: 8.5, leading: 13 },
  figure: { size: 20, leading: 26 },
} as const satisfies Record<string, TypeSize>;
