import type { Language } from '../contract/language.ts';
import type { Place } from './document.ts';

/** A document to index; `owner` is '' if shared, else the only owner whose questions it answers. */
export interface IndexedDocument {
  _id: string;
  owner: string;
  title: string;
  language: Language;
  /** Light Markdown. */
  text: string;
  /** Where pages, slides, sheets and tables start in the text. */
  places?: readonly Place[];
}

/** The index of passages. Interrupted calls can be repeated by any process. */
export interface KnowledgeIndex {
  /**
   * Cuts the document into passages, indexes them, and removes those of an earlier text. Unchanged passages have the same id as before, so that
   * citations remain valid. Yields to the event loop between slices.
   *
   * @returns number of passages.
   */
  put(
    document: IndexedDocument,
    options?: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void | Promise<void> },
  ): Promise<number>;
  /** Removes all passages of a document. */
  remove(documentId: string): Promise<void>;
  /** Repairs the counts after a process was killed. true: changes are running, so it must be called again later. */
  sweep(signal?: AbortSignal): Promise<boolean>;
}
