import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import type { DeskRecord } from '../../contract/records.ts';
import type { ReportJob } from './report-job.ts';

/**
 * The digest by which a report can be verified. SHA-256 of UTF-8 lines, each ended by a line feed:
 * - every record of the report, in its order (newest first), as canonical JSON of its API representation
 * (`DeskRecord`);
 * - then the filters as canonical JSON, `{"contact":…,"from":…,…,"mask":…,"tz":…}`, as on the last page.
 * With `mask`, the digest covers the masked contact: from the digest of a full number its four hidden digits
 * could be guessed.
 */
export function createReportDigest() {
  const hash = createHash('sha256');
  return {
    /** @param record Already masked if required. */
    add(record: DeskRecord): void {
      hash.update(`${canonicalize(record)}\n`);
    },
    /** Finishes the digest. `conditions` is its last line. */
    end({ filter, mask, tz }: Pick<ReportJob, 'filter' | 'mask' | 'tz'>): {
      sum: string;
      conditions: string;
    } {
      const conditions = canonicalize({ ...(filter ?? { chosen: true }), mask, tz }) as string;
      return { conditions, sum: hash.update(`${conditions}\n`).digest('hex') };
    },
  };
}
