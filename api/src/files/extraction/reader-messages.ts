import type { FileLimit, UnreadableReason } from '../../errors/errors.ts';
import type { Extracted, ExtractionProgress } from './extractor.ts';
import type { Limits } from './limits.ts';

export type Failure =
  | { kind: 'unsupported' }
  | { kind: 'unreadable'; reason: UnreadableReason }
  | { kind: 'too-large'; what: FileLimit; count: number };

export interface ReadJob {
  path: string;
  name: string;
  limits: Limits;
}

/** The text comes in parts before `done`, so that no single message holds up the process that gets it. */
export type FromReader =
  | { kind: 'progress'; progress: ExtractionProgress }
  /** An image before its words are looked for: what is known of it when that does not end. */
  | { kind: 'seen'; extracted: Omit<Extracted, 'text'> }
  | { kind: 'text'; part: string }
  | { kind: 'done'; extracted: Omit<Extracted, 'text'> }
  | { kind: 'failed'; failure: Failure }
  /** As `failed`; and the reader is not fit for another file. */
  | { kind: 'broken'; failure: Failure };
