import type { RunRange, TextRun } from './find-on-page.ts';

/** A run with its position, see TextItem of pdf.js. `width` is its length and `height` its font size, in units of the page. */
export interface PlacedRun extends TextRun {
  /** Maps the text's baseline to the page: `[a, b, c, d, x, y]`. */
  transform: readonly number[];
  width: number;
  height: number;
  fontName: string;
}

export interface FontStyle {
  ascent?: number;
  descent?: number;
  vertical?: boolean;
}

/** Position in shares of the page's width and height, hence independent of the zoom. */
export interface Rectangle {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface PageSpace {
  width: number;
  height: number;
  /** Converts a point of the page, whose y axis points upwards, to a point of the viewport. */
  convertToViewportPoint(x: number, y: number): number[];
}

/** The rectangles of these ranges of text, one for each line. `widthOf` measures a text, in any unit. */
export function highlightRectangles(
  runs: readonly PlacedRun[],
  ranges: readonly RunRange[],
  styles: Readonly<Record<string, FontStyle>>,
  page: PageSpace,
  widthOf: (text: string) => number,
): Rectangle[] {
  const rectangles: Rectangle[] = [];
  for (const { index, from, to } of ranges) {
    const run = runs[index];
    if (!run || (run.width === 0 && run.height === 0)) continue;
    const rectangle = rectangleOf(run, shareOf(run.str, from, to, widthOf), styles[run.fontName] ?? {}, page);
    const last = rectangles.at(-1);
    if (last && isSameLine(last, rectangle)) rectangles[rectangles.length - 1] = union(last, rectangle);
    else rectangles.push(rectangle);
  }
  return rectangles;
}

/** Where a part of a run begins and ends, in shares of its length. */
function shareOf(text: string, from: number, to: number, widthOf: (text: string) => number) {
  const whole = widthOf(text);
  if (whole === 0) return [0, 1] as const;
  return [widthOf(text.slice(0, from)) / whole, widthOf(text.slice(0, to)) / whole] as const;
}

function rectangleOf(
  { transform, width, height }: PlacedRun,
  [from, to]: readonly [number, number],
  { ascent = 0.9, descent = -0.2, vertical = false }: FontStyle,
  page: PageSpace,
): Rectangle {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const along = direction(a, b);
  const up = direction(c, d);
  const size = Math.hypot(c, d) || height;
  // Vertical text runs downwards, centred on its origin.
  const [start, end] = vertical ? [-from * height, -to * height] : [from * width, to * width];
  const [low, high] = vertical
    ? [-width / 2, width / 2]
    : [Math.min(descent || -0.2, 0) * size, (ascent || 0.9) * size];
  const [main, cross] = vertical ? [up, along] : [along, up];
  const corners = [start, end].flatMap((m) =>
    [low, high].map((n) =>
      page.convertToViewportPoint(x + main[0] * m + cross[0] * n, y + main[1] * m + cross[1] * n),
    ),
  );
  const xs = corners.map(([cornerX = 0]) => cornerX / page.width);
  const ys = corners.map(([, cornerY = 0]) => cornerY / page.height);
  const left = Math.min(...xs);
  const top = Math.min(...ys);
  return { left, top, width: Math.max(...xs) - left, height: Math.max(...ys) - top };
}

function direction(x: number, y: number): [number, number] {
  const length = Math.hypot(x, y) || 1;
  return [x / length, y / length];
}

/** Whether the second one continues the first one, with a gap of a few letters at most. */
function isSameLine(one: Rectangle, other: Rectangle): boolean {
  const overlap = Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top);
  const gap = other.left - (one.left + one.width);
  return overlap > Math.min(one.height, other.height) / 2 && Math.abs(gap) < 0.03;
}

function union(one: Rectangle, other: Rectangle): Rectangle {
  const left = Math.min(one.left, other.left);
  const top = Math.min(one.top, other.top);
  return {
    left,
    top,
    width: Math.max(one.left + one.width, other.left + other.width) - left,
    height: Math.max(one.top + one.height, other.top + other.height) - top,
  };
}
