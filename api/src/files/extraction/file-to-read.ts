import type { FileLimit, UnreadableReason } from '../../errors/errors.ts';
import type { FoundNotice } from './collect-notices.ts';
import type { Extracted, ExtractionProgress } from './extractor.ts';
import type { Limits } from './limits.ts';
import type { Failure } from './reader-messages.ts';

export interface FileToRead {
  bytes: Buffer;
  /** Media type. */
  type: string;
  text: string;
  limits: Limits;
  onProgress: (progress: ExtractionProgress) => void;
  /** Reads a document within this one; null if its kind is not supported. */
  readEmbedded: (bytes: Buffer, name: string) => Promise<ReadFile | null>;
  /** Reports an image before text recognition: it is kept even if that takes too long. */
  onSeen: (image: Pick<Extracted, 'size'>) => void;
}

/** Result of a reader; defaults are '', 1 page, no size and no notices. */
export type ReadFile = Pick<Extracted, 'text'> &
  Partial<Pick<Extracted, 'title' | 'pages' | 'size'>> & { notices?: readonly FoundNotice[] };

/** Reason why a file cannot be read, thrown in the reader process and passed to the caller. */
export class FileFailure extends Error {
  override readonly name = 'FileFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(JSON.stringify(failure));
    this.failure = failure;
  }
}

export function unreadable(reason: UnreadableReason): FileFailure {
  return new FileFailure({ kind: 'unreadable', reason });
}

export function unsupported(): FileFailure {
  return new FileFailure({ kind: 'unsupported' });
}

export function tooLarge(what: FileLimit, count: number): FileFailure {
  return new FileFailure({ kind: 'too-large', what, count });
}
