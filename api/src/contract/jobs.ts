/** Background work that has failed too often. */
export interface DeadJob {
  id: string;
  kind: string;
  /** What it is about, for example the id of a document. */
  key: string;
  attempts: number;
  /** Message of the last failure, in English, for operators. */
  failure: string;
}

/**
 * GET /ops/jobs → `{jobs}`, at most 200, the oldest first. POST /ops/jobs/:id/retry → 204: runs it again, with all attempts. Both
 * require an ops token with the scope `admin`.
 */
export interface DeadJobs {
  jobs: DeadJob[];
}
