import type { DeskRecord, Language, RecordFilter } from '../../contract/contract.ts';

/** What a report is to be. */
export interface ReportJob {
  language: Language;
  /** '' for the usual title. */
  title: string;
  /** What was asked for; `ids` only counts the chosen records. `contact` is resolved to an id where that was possible. */
  filter: RecordFilter | null;
  /** IANA name. Days and times are those of this zone. */
  tz: string;
  mask: boolean;
  /** ISO 8601. */
  madeAt: string;
}

/** Some records, newest first, with the bytes of their pictures by url as far as they could be read. */
export interface ReportSlice {
  records: DeskRecord[];
  pictures: Map<string, Uint8Array>;
}

export interface MadeReport {
  /** As it is shown: masked where that was asked for. */
  title: string;
  pages: number;
  records: number;
  /** SHA-256, hex; see `report-digest.ts`. */
  digest: string;
  bytes: Uint8Array<ArrayBuffer>;
}
