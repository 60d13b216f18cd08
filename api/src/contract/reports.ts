/**
 * POST /ops/reports: what one page tells of itself, anyone, limited. What names no release of that composition is dropped, and
 * nothing says who sent it.
 */
export interface PageReport {
  /** Random, made by the page at its start; of one page a failure counts once. */
  page: string;
  composition: string;
  events: PageEvent[];
}

/** `remote` may be 'host'. Times in ms, CLS without a unit, errors at most 500 characters. */
export type PageEvent = { remote: string; version: string } & (
  | { kind: 'load'; ms: number }
  | { kind: 'failure'; phase: 'load' | 'render'; expose: string; error: string }
  | { kind: 'error'; error: string }
  | { kind: 'vital'; name: VitalName; value: number }
);

/** POST /ops/stack `{stack}`, with the ops token: positions in scripts of releases replaced by those in their sources. */
export interface ResolvedStack {
  stack: string;
}

export type VitalName = 'LCP' | 'INP' | 'CLS';

/** GET /ops/health `?minutes=` (60; 5 to 10,080): what pages told, by remote and version. */
export interface Health {
  from: string;
  to: string;
  /** Width of one step of `series`. */
  stepMs: number;
  rows: HealthRow[];
}

export interface HealthRow {
  remote: string;
  version: string;
  /** Of all page loads that named this remote in the time, percent. */
  share: number;
  /** Of the host alone: pages that were sent some time ago. One that works reports, and is counted in `loads`. */
  served?: number;
  /** Those of them that a browser opened, rather than a monitor, say. */
  opened?: number;
  loads: number;
  failures: number;
  errors: number;
  /** So many of its pages fail, or never report, that it cannot be called working. */
  isFailing?: boolean;
  /** 75th percentile; null without a measurement. */
  vitals: Record<VitalName, { p75: number; count: number } | null>;
  series: { at: string; loads: number; failures: number; errors: number }[];
  /** What went wrong lately, most frequent first, at most 10. */
  lastErrors: {
    kind: 'failure' | 'error';
    error: string;
    count: number;
    lastAt: string;
    composition: string;
  }[];
}
