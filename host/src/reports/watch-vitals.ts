import type { VitalName } from 'api/contract/reports';
import { type MetricType, onCLS, onINP, onLCP } from 'web-vitals';

/** Hears the page's web vitals (ms; CLS without a unit) with the time that they are about, in ms since the page's start. */
export function watchVitals(hear: (name: VitalName, value: number, at: number) => void): void {
  const tell = ({ name, value, entries }: MetricType) => {
    if (name === 'FCP' || name === 'TTFB') return;
    const exact = name === 'CLS' ? Math.round(value * 10_000) / 10_000 : Math.round(value);
    hear(name, exact, entries.at(-1)?.startTime ?? 0);
  };
  try {
    for (const watch of [onLCP, onINP, onCLS]) watch(tell);
  } catch {
    // A browser that cannot measure does not.
  }
}
