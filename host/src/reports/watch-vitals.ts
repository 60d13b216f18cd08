import type { VitalName } from 'api/contract/reports';
import { type MetricType, onCLS, onINP, onLCP } from 'web-vitals';

/** Passes on the page's web vitals (ms; CLS without a unit) with the time they refer to, in ms since navigation started. */
export function watchVitals(onVital: (name: VitalName, value: number, at: number) => void): void {
  const report = ({ name, value, entries }: MetricType) => {
    if (name === 'FCP' || name === 'TTFB') return;
    const exact = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);
    onVital(name, exact, entries.at(-1)?.startTime ?? 0);
  };
  try {
    for (const watch of [onLCP, onINP, onCLS]) watch(report);
  } catch {
    // The browser does not support the measurement.
  }
}
