/** Further terms of a sum are smaller than this part of it. */
const ENOUGH = 1e-12;

/**
 * How likely `n` pages would fail at least `k` times, where of `a + b` pages before `a` failed and the true rate is known no better than
 * that (beta-binomial, upper tail). 1 where `k` is no more than was to be expected.
 */
export function betaBinomialTail(k: number, n: number, a: number, b: number): number {
  if (k <= (n * a) / (a + b)) return 1;
  const first = Math.exp(logChoose(n, k) + logBeta(k + a, n - k + b) - logBeta(a, b));
  return sumFrom(k, n, first, (i) => (((n - i) / (i + 1)) * (i + a)) / (n - i - 1 + b));
}

/** How likely at least `k` of `n` would be so, where each is with probability `p`. 1 where `k` is no more than was to be expected. */
export function binomialTail(k: number, n: number, p: number): number {
  if (k <= n * p) return 1;
  const first = Math.exp(logChoose(n, k) + k * Math.log(p) + (n - k) * Math.log1p(-p));
  return sumFrom(k, n, first, (i) => (((n - i) / (i + 1)) * p) / (1 - p));
}

/** `first` and all that follows, each the one before times `ratio`: past what is expected they only grow smaller. */
function sumFrom(k: number, n: number, first: number, ratio: (i: number) => number): number {
  let sum = 0;
  let term = first;
  for (let i = k; i <= n; i += 1) {
    sum += term;
    if (term < sum * ENOUGH) break;
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

/** Stirling's series after the argument has been raised past 8: exact to 1e-12 (Abramowitz & Stegun 6.1.41). */
function logGamma(x: number): number {
  let shift = 0;
  let z = x;
  for (; z < 8; z += 1) shift += Math.log(z);
  const inverse = 1 / (z * z);
  const series = 1 / 12 - inverse * (1 / 360 - inverse * (1 / 1260 - inverse * (1 / 1680 - inverse / 1188)));
  return (z - 0.5) * Math.log(z) - z + Math.log(2 * Math.PI) / 2 + series / z - shift;
}
