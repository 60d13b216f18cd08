/** Summation ends when a term is smaller than this fraction of the sum. */
const PRECISION = 1e-12;

/**
 * Probability that at least `k` of `n` pages fail, if `a` of `a + b` earlier pages failed (beta-binomial,
 * upper tail). 1 if `k` does not exceed the expected value.
 */
export function betaBinomialTail(k: number, n: number, a: number, b: number): number {
  if (k <= (n * a) / (a + b)) return 1;
  const first = Math.exp(logChoose(n, k) + logBeta(k + a, n - k + b) - logBeta(a, b));
  return sumFrom(k, n, first, (i) => (((n - i) / (i + 1)) * (i + a)) / (n - i - 1 + b));
}

/** Probability of at least `k` successes in `n` trials of `p`. 1 if `k` is not above the expected value. */
export function binomialTail(k: number, n: number, p: number): number {
  if (k <= n * p) return 1;
  const first = Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
  return sumFrom(k, n, first, (i) => (((n - i) / (i + 1)) * p) / (1 - p));
}

/** `first` and all following terms, each the previous times `ratio`: they only decrease there. */
function sumFrom(k: number, n: number, first: number, ratio: (i: number) => number): number {
  let sum = 0;
  let term = first;
  for (let i = k; i <= n; i += 1) {
    sum += term;
    if (term < sum * PRECISION) break;
    term *= ratio(i);
  }
  return Math.min(1, sum);
}

function logChoose(n: number, k: number): number {
  return logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

/** Stirling's series after shifting the argument above 8: accurate to 1e-12 (Abramowitz & Stegun 6.1.41). */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 8; z += 1) shift += Math.log(z);
  const inverse = 1 / (z * z);
  const series = 1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)));
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series / z - shift;
}
