/** Formats a duration like all screens and the PDF: <0.1 s, 1.9 s, 2.5 min. */
export function formatDuration(ms: number, numbers: Intl.NumberFormat): { value: string; unit: 's' | 'min' } {
  if (ms < 50) return { value: `<${numbers.format(0.1)}`, unit: 's' };
  if (ms < 59_950) return { value: numbers.format(Math.round(ms / 100) / 10), unit: 's' };
  return { value: numbers.format(Math.round(ms / 6000) / 10), unit: 'min' };
}
