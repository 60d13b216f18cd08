import { z } from 'zod';

/** Background work that has failed too often. */
export const DeadJob = z.object({
  id: z.string(),
  kind: z.string(),
  /** What it is about, for example the id of a document. */
  key: z.string(),
  attempts: z.number(),
  /** Message of the last failure, in English, for operators. */
  failure: z.string(),
});
export type DeadJob = z.infer<typeof DeadJob>;

/**
 * GET /ops/jobs → `{jobs}`, at most 200, the oldest first. POST /ops/jobs/:id/retry → 204: runs it again, with all attempts. Both
 * require an ops token with the scope `admin`.
 */
export const DeadJobs = z.object({ jobs: z.array(DeadJob) });
export type DeadJobs = z.infer<typeof DeadJobs>;
