/**
 * POST /ops/reports: events of one page, from anyone, rate limited. Events of releases that are not in that
 * composition are dropped, and nothing identifies the sender.
 */
export interface PageReport {
  /** Random id created at the start of the page, so that a failure counts once per page. */
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

/**
 * POST /ops/stack `{stack}`, with the ops token: replaces positions in scripts of releases by those in their
 * sources.
 */
export interface ResolvedStack {
  stack: string;
}

export type VitalName = 'LCP' | 'INP' | 'CLS';

/** GET /ops/health `?minutes=` (default 60; 5 to 10,080): reports of pages by remote and version. */
export interface Health {
  from: string;
  to: string;
  /** Duration of one step of `series` in ms. */
  stepMs: number;
  rows: HealthRow[];
}

export interface HealthRow {
  remote: string;
  version: string;
  /** Percentage of all page loads in the period that used this release of the remote. */
  share: number;
  /**
   * Host only: pages served long enough ago to have reported. A working page reports, and is counted in
   * `loads`.
   */
  served?: number;
  /** Of these, pages opened by a browser rather than, for example, a monitor. */
  opened?: number;
  loads: number;
  failures: number;
  errors: number;
  /** Set if so many of its pages fail, or never report, that it does not count as working. */
  isFailing?: boolean;
  /** 75th percentile; null without measurements. */
  vitals: Record<VitalName, { p75: number; count: number } | null>;
  series: { at: string; loads: number; failures: number; errors: number }[];
  /** Recent errors, most frequent first, at most 10. */
  lastErrors: {
    kind: 'failure' | 'error';
    error: string;
    count: number;
    lastAt: string;
    composition: string;
  }[];
}
