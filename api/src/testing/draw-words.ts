import { createRequire } from 'node:module';
import { notoSansScPath } from '../records/pdf/font-file.ts';

interface Glyph {
  advanceWidth: number;
  path: { commands: { command: string; args: number[] }[] };
}

interface Font {
  unitsPerEm: number;
  layout(text: string): { glyphs: Glyph[] };
}

type Edge = readonly [x0: number, y0: number, x1: number, y1: number];

const require = createRequire(import.meta.url);
const { openSync } = createRequire(require.resolve('pdfkit'))('fontkit') as { openSync(path: string): Font };
let font: Font | undefined;

/** Draws black text, Chinese or Latin, on the white pixels of a grey image, one line of `text` per line. */
export function drawWords(pixels: Uint8Array, width: number, height: number, text: string, size = 32): void {
  font ??= openSync(notoSansScPath());
  for (const [index, line] of text.split('\n').entries()) {
    let x = size;
    const baseLine = size * 1.8 * (index + 1);
    for (const glyph of font.layout(line).glyphs) {
      fill(pixels, width, height, edgesOf(glyph, x, baseLine, size / font.unitsPerEm));
      x += (glyph.advanceWidth * size) / font.unitsPerEm;
    }
  }
}

/** Curves are approximated by eight straight lines each. */
function edgesOf(glyph: Glyph, left: number, baseLine: number, scale: number): Edge[] {
  const edges: Edge[] = [];
  let at: [number, number] = [0, 0];
  let start = at;
  const lineTo = (x: number, y: number) => {
    edges.push([left + at[0] * scale, baseLine - at[1] * scale, left + x * scale, baseLine - y * scale]);
    at = [x, y];
  };
  for (const { command, args } of glyph.path.commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args;
    if (command === 'moveTo') {
      at = [a, b];
      start = at;
    } else if (command === 'lineTo') lineTo(a, b);
    else if (command === 'closePath') lineTo(...start);
    else if (command === 'quadraticCurveTo') {
      const [x, y] = at;
      for (let step = 1; step <= 8; step += 1) {
        const t = step / 8;
        const [p, q, r] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2];
        lineTo(p * x + q * a + r * c, p * y + q * b + r * d);
      }
    } else throw new Error(`expected a TrueType outline, got ${command}`);
  }
  return edges;
}

/** Fills the area enclosed by the edges, line by line. */
function fill(pixels: Uint8Array, width: number, height: number, edges: readonly Edge[]): void {
  const ys = edges.flatMap(([, y0, , y1]) => [y0, y1]);
  if (ys.length === 0) return;
  const top = Math.max(0, Math.floor(Math.min(...ys)));
  const bottom = Math.min(height - 1, Math.ceil(Math.max(...ys)));
  for (let y = top; y <= bottom; y += 1) {
    const crossings = edges
      .filter(([, y0, , y1]) => (y0 <= y + 0.5 && y1 > y + 0.5) || (y1 <= y + 0.5 && y0 > y + 0.5))
      .map(([x0, y0, x1, y1]) => ({
        x: x0 + ((y + 0.5 - y0) / (y1 - y0)) * (x1 - x0),
        turn: y1 > y0 ? 1 : -1,
      }))
      .sort((a, b) => a.x - b.x);
    let winding = 0;
    for (const [index, { x, turn }] of crossings.entries()) {
      winding += turn;
      const to = crossings[index + 1]?.x;
      if (winding === 0 || to === undefined) continue;
      const from = y * width + Math.max(0, Math.round(x));
      pixels.fill(0, from, y * width + Math.min(width, Math.max(Math.round(x), Math.round(to))));
    }
  }
}
