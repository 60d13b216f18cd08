import { z } from 'zod';
import { digits } from './fields.ts';

export const VitalName = z.enum(['LCP', 'INP', 'CLS']);
export type VitalName = z.infer<typeof VitalName>;

const release = { remote: z.string().min(1).max(100), version: z.string().min(1).max(200) };
/** Ten minutes in ms: a page that took longer was suspended. */
const maxMs = 600_000;
const maxOf: Record<VitalName, number> = { LCP: maxMs, INP: maxMs, CLS: 1000 };
const ErrorText = z.string().max(16_384);

/** `remote` may be 'host'. Times in ms, CLS without a unit; at most 500 characters of an error are stored. */
export const PageEvent = z.discriminatedUnion('kind', [
  z.object({ ...release, kind: z.literal('load'), ms: z.number().min(0).max(maxMs) }),
  z.object({
    ...release,
    kind: z.literal('failure'),
    phase: z.enum(['load', 'render']),
    expose: z.string().max(200),
    error: ErrorText,
  }),
  z.object({ ...release, kind: z.literal('error'), error: ErrorText }),
  z
    .object({ ...release, kind: z.literal('vital'), name: VitalName, value: z.number().min(0) })
    .refine(({ name, value }) => value <= maxOf[name], { path: ['value'] }),
]);
export type PageEvent = z.infer<typeof PageEvent>;

/**
 * How long loading a page took, of a page whose response names its trace in `Server-Timing`. Times in ms since navigation began. `page` is the
 * document, `render` lasts until the first contentful paint; files are `entry` and `chunk`.
 */
export const PageTrace = z.object({
  /** A `traceparent` (W3C Trace Context). */
  parent: z.string().regex(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
  /** Age of the page when it sent this. */
  age: z.number().min(0).max(maxMs),
  spans: z
    .array(
      z.object({
        ...release,
        what: z.enum(['page', 'entry', 'chunk', 'render']),
        at: z.number().min(0).max(maxMs),
        ms: z.number().min(0).max(maxMs),
      }),
    )
    .max(60),
});
export type PageTrace = z.infer<typeof PageTrace>;

/**
 * POST /ops/reports: events of one page, from anyone, rate limited. Events of releases that are not in that
 * composition are dropped, and nothing identifies the sender.
 */
export const PageReport = z.object({
  /** Random id created at the start of the page, so that a failure counts once per page. */
  page: z.string().regex(/^[\w-]{8,64}$/),
  composition: z.string().regex(/^[0-9a-f]{64}$/),
  events: z.array(PageEvent).max(40),
  trace: PageTrace.exactOptional(),
});
export type PageReport = z.infer<typeof PageReport>;

/** Query of GET /ops/health. */
export const HealthQuery = z.object({
  minutes: digits(5).default('60').transform(Number).pipe(z.number().min(5).max(10_080)),
});

export const StackRequest = z.strictObject({
  stack: z
    .string()
    .min(1)
    .max(64 * 1024),
});
export type StackRequest = z.infer<typeof StackRequest>;

/**
 * POST /ops/stack `{stack}`, with the ops token: replaces positions in scripts of releases by those in their
 * sources.
 */
export const ResolvedStack = z.object({ stack: z.string() });
export type ResolvedStack = z.infer<typeof ResolvedStack>;

export const HealthRow = z.object({
  remote: z.string(),
  version: z.string(),
  /** Percentage of all page loads in the period that used this release of the remote. */
  share: z.number(),
  /**
   * Host only: pages served long enough ago to have reported. A working page reports, and is counted in
   * `loads`.
   */
  served: z.number().exactOptional(),
  /** Of these, pages opened by a browser rather than, for example, a monitor. */
  opened: z.number().exactOptional(),
  loads: z.number(),
  failures: z.number(),
  errors: z.number(),
  /** Set if so many of its pages fail, or never report, that it does not count as working. */
  isFailing: z.boolean().exactOptional(),
  /** 75th percentile; null without measurements. */
  vitals: z.record(VitalName, z.object({ p75: z.number(), count: z.number() }).nullable()),
  series: z.array(z.object({ at: z.string(), loads: z.number(), failures: z.number(), errors: z.number() })),
  /** Recent errors, most frequent first, at most 10. */
  lastErrors: z.array(
    z.object({
      kind: z.enum(['failure', 'error']),
      error: z.string(),
      count: z.number(),
      lastAt: z.string(),
      composition: z.string(),
    }),
  ),
});
export type HealthRow = z.infer<typeof HealthRow>;

/** GET /ops/health `?minutes=` (default 60; 5 to 10,080): reports of pages by remote and version. */
export const Health = z.object({
  from: z.string(),
  to: z.string(),
  /** Duration of one step of `series` in ms. */
  stepMs: z.number(),
  rows: z.array(HealthRow),
});
export type Health = z.infer<typeof Health>;
