import type { Handover } from '../../contract/handover.ts';
import type { Language } from '../../contract/language.ts';
import type { DeskRecord } from '../../contract/records.ts';
import type { RecordFilter, RecordStats } from '../../contract/search.ts';

export interface ReportJob {
  language: Language;
  /** '' for the default title. */
  title: string;
  /** The requested filters; of `ids` only the number is shown. `contact` is resolved to an id if possible. */
  filter: RecordFilter | null;
  /** IANA name of the time zone for days and times. */
  tz: string;
  mask: boolean;
  questionsOnly?: boolean;
  /** A single conversation, oldest record first: without totals, filters and verification. */
  isConversation?: boolean;
  /** Totals of all records, for a preview that contains only the first ones: without verification. */
  totals?: RecordStats;
  /** The conversation's messages with people. */
  people?: readonly Handover[];
  /** ISO 8601. */
  madeAt: string;
}

/** Some records, newest first, with the bytes of their images by URL, as far as they could be read. */
export interface ReportSlice {
  records: DeskRecord[];
  pictures: Map<string, Uint8Array>;
}

export interface MadeReport {
  /** As shown: masked if requested. */
  title: string;
  pages: number;
  records: number;
  /** SHA-256, hex, see `createReport`; '' for a conversation. */
  digest: string;
  bytes: Uint8Array<ArrayBuffer>;
}
