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

/** The text is sent in parts before `done`, so that no single message blocks the receiving process. */
export type FromReader =
  /** Reading begins: the time until the process has loaded is not the file's. */
  | { kind: 'started' }
  | { kind: 'progress'; progress: ExtractionProgress }
  /** An image before text recognition: the result if recognition does not finish. */
  | { kind: 'seen'; extracted: Omit<Extracted, 'text'> }
  | { kind: 'text'; part: string }
  | { kind: 'done'; extracted: Omit<Extracted, 'text'> }
  | { kind: 'failed'; failure: Failure }
  /** Like `failed`, but the reader process must not be reused. */
  | { kind: 'broken'; failure: Failure };
