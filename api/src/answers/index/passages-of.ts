import { createHash } from 'node:crypto';
import type { Language } from '../../contract/language.ts';
import { type CutPassage, eachPassage } from './cut-passages.ts';
import { isShared, type Place } from './document.ts';
import type { FindablePassage } from './findable.ts';
import type { KnowledgePassage } from './passage.ts';
import { createPlaceFinder } from './passage-places.ts';
import { passageTerms } from './passage-terms.ts';

/** A document to cut into passages. */
export interface CuttableDocument {
  _id: string;
  /** '' if shared, a collection's owner, or the only owner whose questions it answers. */
  owner: string;
  title: string;
  language: Language;
  /** Light Markdown. */
  text: string;
  /** Where pages, slides, sheets and tables start in the text. */
  places?: readonly Place[];
  /** What ids of passages are derived from, with their content; default `_id`. */
  name?: string;
  /** Edition of the handbook; default '' for other documents. */
  edition?: string;
  /** Other ways to ask for a section, by the start of its heading. */
  asks?: ReadonlyMap<number, readonly string[]>;
}

export interface PassagePair {
  passage: KnowledgePassage;
  findable: FindablePassage;
}

/**
 * The passages of a document, in order. Ids are derived from the document's name and the passage's content,
 * not from its position: a passage that only moved keeps its id. They cannot be guessed without the name.
 */
export function* passagesOf(document: CuttableDocument): Generator<PassagePair> {
  const seen = new Map<string, number>();
  const placesIn = createPlaceFinder(document.text, document.places ?? []);
  for (const cut of eachPassage(document.text)) {
    const text = document.text.slice(cut.start, cut.end);
    const key = `${cut.headings.join('\n')}\n\n${text}`;
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    const privacy = isShared(document.owner) ? '' : 'private';
    const _id = idOf('passage', privacy, document.name ?? document._id, String(before), key);
    const places = placesIn(cut.start, cut.end);
    const { passage, findable } = passagePair(document, cut, text, _id);
    yield { passage: places.length > 0 ? { ...passage, places } : passage, findable };
  }
}

function passagePair(document: CuttableDocument, cut: CutPassage, text: string, _id: string): PassagePair {
  const { owner, title, language, edition = '' } = document;
  const heading = cut.headings.at(-1) ?? title;
  const asks = document.asks?.get(cut.section) ?? [];
  const titles = [title, ...cut.headings.slice(0, -1)];
  const { terms, weights, length } = passageTerms({
    heading,
    asks,
    titles,
    body: cut.tableHead === '' ? text : `${cut.tableHead}\n${text}`,
  });
  const documentId = document._id;
  return {
    passage: {
      _id,
      owner,
      documentId,
      title,
      place: cut.headings.join(' › '),
      heading: cut.headings.length > 1 ? heading : '',
      ways: [heading, ...asks],
      language,
      text,
      start: cut.start,
      end: cut.end,
      tableHead: cut.tableHead,
      edition,
    },
    findable: { _id, owner, documentId, edition, language, length, weights, terms },
  };
}

/** Deterministic 24-digit hex id derived from `parts`. */
export function idOf(...parts: string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length} ${part}`);
  return hash.digest('hex').slice(0, 24);
}
