/** A share in per cent with one decimal. Only all is 100 and only none is 0: what is left over shows. */
export function percent(part: number, whole: number): number {
  if (whole === 0) return 0;
  const rounded = Math.round((part / whole) * 1000) / 10;
  if (part > 0 && rounded === 0) return 0.1;
  return part < whole && rounded === 100 ? 99.9 : rounded;
}

/** How much more there is now than before, in per cent with one decimal, below zero for less; null when there was nothing. */
export function growth(now: number, before: number): number | null {
  return before === 0 ? null : Math.round((now / before - 1) * 1000) / 10;
}
