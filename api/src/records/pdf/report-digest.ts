import { createHash } from 'node:crypto';
import type { DeskRecord } from '../../contract/contract.ts';
import type { ReportJob } from './report-job.ts';

/**
 * What someone can verify a report by. SHA-256 of UTF-8 lines, each ended by a line feed:
 * - every record of the report, in its order (newest first), as canonical JSON of what the API says of it (`DeskRecord`);
 * - then the conditions as canonical JSON, `{"contact":…,"from":…,…,"mask":…,"tz":…}`, as the last page has them.
 *
 * With `mask` the masked contact counts, here as well: out of the digest of a whole number its four hidden digits could be guessed.
 */
export interface ReportDigest {
  /** @param record Masked already where it is to be. */
  add(record: DeskRecord): void;
  /** Ends the digest. `conditions` is its last line. */
  end(job: Pick<ReportJob, 'filter' | 'mask' | 'tz'>): { sum: string; conditions: string };
}

export function createReportDigest(): ReportDigest {
  const hash = createHash('sha256');
  return {
    add(record) {
      hash.update(`${canonicalJson(record)}\n`);
    },
    end({ filter, mask, tz }) {
      const conditions = canonicalJson({ ...(filter ?? { chosen: true }), mask, tz });
      return { conditions, sum: hash.update(`${conditions}\n`).digest('hex') };
    },
  };
}

/** JSON with the keys of every object in the order of their UTF-16 units and no spaces (RFC 8785). */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map((one) => canonicalJson(one ?? null)).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonicalJson(one)}`).join(',')}}`;
}
