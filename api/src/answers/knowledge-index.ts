import type { Language } from '../contract/language.ts';

/** A document to be found by: `owner` '' is shared by everyone, else the only one whose questions may be answered from it. */
export interface IndexedDocument {
  _id: string;
  owner: string;
  title: string;
  language: Language;
  /** Light Markdown. */
  text: string;
}

/** What questions are answered from, as passages. Both calls can be repeated from wherever they were cut off, by any process. */
export interface KnowledgeIndex {
  /**
   * Cuts the document and makes its passages findable; what was indexed of it before and is no part of it any more goes. A passage that stays the
   * same keeps its id, so that citations of it keep working. Lets other work through between slices.
   *
   * @returns number of passages.
   */
  put(
    document: IndexedDocument,
    options?: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void | Promise<void> },
  ): Promise<number>;
  /** Takes all passages of a document away. */
  remove(documentId: string): Promise<void>;
  /** Puts right what a process that was killed has left half counted. To be called now and then; does little when there is nothing to do. */
  sweep(signal?: AbortSignal): Promise<void>;
}
