/** A share in per cent with one decimal. Only the whole is 100 and only nothing is 0, so that a remainder stays visible. */
export function percent(part: number, whole: number): number {
  if (whole === 0) return 0;
  const rounded = Math.round((part / whole) * 1000) / 10;
  if (part > 0 && rounded === 0) return 0.1;
  return part < whole && rounded === 100 ? 99.9 : rounded;
}

/** Growth in per cent with one decimal, negative for less; null if there was nothing before. */
export function growth(now: number, before: number): number | null {
  return before === 0 ? null : Math.round((now / before - 1) * 1000) / 10;
}
