import { getResolvedPDFJS } from 'unpdf';
import type { Page, Rule, Rules } from './pdf-messages.ts';

/** A plan or a map has more lines than a page of tables. */
const maxRules = 20_000;
/** Maximum thickness of a rectangle that is a line, and deviation of a straight line, in points. */
const thin = 3;
const straight = 0.5;
const minLength = 3;

/** Operators of a path, and the number of their coordinates. */
const pathOps = { moveTo: 0, lineTo: 1, curveTo: 2, quadraticCurveTo: 3, closePath: 4 };
const coordinates = [2, 2, 6, 4, 0];

/** Lines of a page by its drawing operators; none of too many. @param transform from its positions */
export async function rulesOf(page: Page, transform: readonly number[]): Promise<Rules> {
  const { OPS, Util } = await getResolvedPDFJS();
  const { fnArray, argsArray } = await page.getOperatorList();
  const rules: Rules = { across: [], down: [] };
  const invisible = new Set<number>([OPS.endPath, OPS.clip, OPS.eoClip]);
  const stack: number[][] = [];
  let matrix = [...transform];
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index] as unknown[];
    if (operator === OPS.save) stack.push(matrix);
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = stack.pop() ?? matrix;
    else if (operator === OPS.transform) matrix = Util.transform(matrix, args as number[]) as number[];
    else if (operator === OPS.paintFormXObjectBegin) {
      stack.push(matrix);
      if (args[0]) matrix = Util.transform(matrix, args[0] as number[]) as number[];
    } else if (operator === OPS.constructPath && !invisible.has(args[0] as number)) {
      const [path] = args[1] as [ArrayLike<number> | null];
      for (const part of path ? straightParts(path, matrix) : []) addPart(rules, part);
      if (rules.across.length + rules.down.length > maxRules) return { across: [], down: [] };
    }
  }
  return rules;
}

type Point = [x: number, y: number];

/** The connected straight parts of a path on the page. */
function straightParts(path: ArrayLike<number>, [a, b, c, d, e, f]: readonly number[]): Point[][] {
  const parts: Point[][] = [];
  for (let at = 0; at < path.length; ) {
    const operator = path[at]!;
    const count = coordinates[operator] ?? 0;
    const [x, y] = [path[at + count - 1]!, path[at + count]!];
    const point: Point = [a! * x + c! * y + e!, b! * x + d! * y + f!];
    const part = parts.at(-1);
    if (operator === pathOps.lineTo) part?.push(point);
    else if (operator === pathOps.closePath) part?.push(part[0]!);
    else parts.push([point]);
    at += count + 1;
  }
  return parts;
}

function addPart(rules: Rules, part: readonly Point[]): void {
  const [left, right] = extentOf(part.map(([x]) => x));
  const [top, bottom] = extentOf(part.map(([, y]) => y));
  if (part.length > 2 && Math.min(right - left, bottom - top) <= thin) {
    if (right - left >= bottom - top) add(rules.across, (top + bottom) / 2, left, right);
    else add(rules.down, (left + right) / 2, top, bottom);
    return;
  }
  for (const [index, [x, y]] of part.entries()) {
    const [beforeX, beforeY] = part[index - 1] ?? [x, y];
    if (Math.abs(y - beforeY) <= straight) add(rules.across, y, Math.min(x, beforeX), Math.max(x, beforeX));
    else if (Math.abs(x - beforeX) <= straight)
      add(rules.down, x, Math.min(y, beforeY), Math.max(y, beforeY));
  }
}

function add(rules: Rule[], at: number, from: number, to: number): void {
  if (to - from >= minLength) rules.push({ at, from, to });
}

function extentOf(values: readonly number[]): [least: number, most: number] {
  return [
    values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
  ];
}
