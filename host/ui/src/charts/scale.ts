/** The grid line values of a bar chart: about `steps` steps of 1, 2 or 5 times a power of ten, up to at least `most`. */
export function scaleFor(most: number, steps = 3): number[] {
  const rough = Math.max(most, 1) / steps;
  const power = 10 ** Math.floor(Math.log10(Math.max(rough, 1)));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= rough) ?? power;
  const lines = Math.max(1, Math.ceil(most / step));
  return Array.from({ length: lines + 1 }, (_, index) => index * step);
}
