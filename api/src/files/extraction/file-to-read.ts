import type { FoundNotice } from './collect-notices.ts';
import type { Extracted, ExtractionProgress } from './extractor.ts';
import type { Limits } from './limits.ts';

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
