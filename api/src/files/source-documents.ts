import { extname } from 'node:path';
import type { DeskChoices } from '../answers/desk-choices.ts';
import { isShared, type KnowledgeDocument, type Place } from '../answers/index/document.ts';
import type { KnowledgeModels } from '../answers/knowledge-models.ts';
import type { Passage } from '../contract/answers.ts';
import type { SourceDocument, SourceText } from '../contract/documents.ts';
import type { FileKind } from '../contract/files.ts';
import type { SourcePlace } from '../contract/sources.ts';
import { notFound } from '../errors/errors.ts';
import type { Blobs } from './blobs.ts';
import type { ReadFiles } from './read-files.ts';
import { documentTypes } from './send-file.ts';
import type { StoredFile } from './storage/file-store.ts';

export interface SourceFile {
  name: string;
  /** Media type. */
  type: string;
  /** Content hash. */
  blob: string;
  file: StoredFile;
}

/** Maximum length of a part of a text, in UTF-16 units. */
const maxPart = 40_000;

/** Where a part is cut, a line end is looked for within this distance. */
const maxLine = 4000;

const fields = {
  owner: 1,
  source: 1,
  title: 1,
  name: 1,
  type: 1,
  size: 1,
  pages: 1,
  blob: 1,
  notices: 1,
} as const;
type Described = Pick<KnowledgeDocument, '_id' | keyof typeof fields>;

export type SourceDocuments = ReturnType<typeof createSourceDocuments>;

/** Documents as sources of answers: those of collections that the caller may read, and the caller's own files. */
export function createSourceDocuments(deps: {
  models: Pick<KnowledgeModels, 'documents' | 'texts'>;
  readFiles: Pick<ReadFiles, 'maySeeDocument' | 'openDocument'>;
  blobs: Pick<Blobs, 'open'>;
  readableBy: DeskChoices['readableBy'];
}) {
  const { models, readFiles, blobs, readableBy } = deps;
  const { documents, texts } = models;

  async function find(id: string, owner: string): Promise<Described> {
    const found = await documents
      .findOne(
        { _id: id, owner: { $in: ['', owner, ...(await readableBy(owner))] }, deletedAt: null },
        fields,
      )
      .lean<Described | null>();
    const maySee = found && (isShared(found.owner) || (await readFiles.maySeeDocument(owner, id)));
    if (!maySee) throw notFound('document');
    return found;
  }

  /** Texts of shared uploads are stored separately. */
  async function readText({ _id, owner, source }: Described): Promise<{ text: string; places: Place[] }> {
    const stored =
      isShared(owner) && source === 'upload'
        ? await texts.findById(_id).lean()
        : await documents.findOne({ _id }, { text: 1, places: 1 }).lean();
    return { text: stored?.text ?? '', places: stored?.places ?? [] };
  }

  return {
    /** @throws notFound('document') for unknown, deleted and strangers' documents, as do all methods. */
    async get(id: string, owner: string): Promise<SourceDocument> {
      const found = await find(id, owner);
      const { text } = await readText(found);
      return {
        id,
        title: found.title,
        name: found.name ?? '',
        type: found.type,
        size: found.size,
        pages: found.pages,
        length: text.length,
        hasFile: !isShared(found.owner) || found.blob !== '',
        isHandbook: found.source === 'handbook',
        ...(found.notices?.length ? { notices: found.notices } : {}),
      };
    },

    /** The part of the text that contains the unit `at`; a position outside of the text counts as the nearest one. */
    async text(id: string, owner: string, at: number): Promise<SourceText> {
      const { text, places } = await readText(await find(id, owner));
      // Parts have fixed borders, so that neighbouring parts never overlap.
      const part = Math.floor(Math.min(at, Math.max(0, text.length - 1)) / maxPart);
      let start = lineStartBefore(text, part * maxPart);
      let end = lineStartBefore(text, (part + 1) * maxPart);
      if (at >= end && end < text.length) {
        start = end;
        end = lineStartBefore(text, (part + 2) * maxPart);
      }
      return {
        start,
        end,
        text: text.slice(start, end),
        length: text.length,
        places: placesWithin(text, places, start, end),
      };
    },

    /** The original file. @throws notFound('file') if the document has none. */
    async open(id: string, owner: string): Promise<SourceFile> {
      const { owner: of, name, title, type, blob } = await find(id, owner);
      if (!isShared(of)) {
        const { upload, file } = await readFiles.openDocument(owner, id);
        return { name: upload.name, type: upload.type, blob: upload.blob, file };
      }
      const file = blob === '' ? undefined : await blobs.open(blob);
      if (!file) throw notFound('file');
      return { name: name || title, type: mediaTypeOf(type, name), blob, file };
    },

    /** Where the start of a passage is found in its file; null if unknown, or if the document has been indexed anew since. */
    async placeOf(
      { documentId, start, end, text: passage }: Passage,
      owner: string,
    ): Promise<SourcePlace | null> {
      const found = await find(documentId, owner).catch(() => null);
      const { text, places } = found ? await readText(found) : { text: '', places: [] };
      if (places.length === 0 || text.slice(start, end) !== passage) return null;
      const { start: _, ...place } = placesWithin(text, places, start, start + 1)[0] ?? { start };
      return Object.keys(place).length > 0 ? place : null;
    },
  };
}

/** Media types by the ending of a name. */
const pictures: Record<string, string> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
};

/** Shared documents are stored with their kind only. '' if unknown. */
function mediaTypeOf(kind: FileKind, name = ''): string {
  if (kind === 'image') return pictures[extname(name).slice(1).toLowerCase()] ?? '';
  return kind in documentTypes ? documentTypes[kind as keyof typeof documentTypes] : '';
}

/** `at`, moved back to the start of its line if that is near. */
function lineStartBefore(text: string, at: number): number {
  if (at >= text.length) return text.length;
  const start = text.lastIndexOf('\n', at - 1) + 1;
  return at - start > maxLine ? at : start;
}

/** The divider below the column names of a Markdown table, which is no row of the file. */
const divider = /^\|(?: --- \|)+$/;

/** The places that start in `from`–`to`, with the rows of tables, preceded by the place that `from` lies in. */
function placesWithin(text: string, places: readonly Place[], from: number, to: number): Place[] {
  const found: Place[] = [];
  let now: SourcePlace = {};
  const put = (start: number) => {
    if (start <= from) found[0] = { start: from, ...now };
    else found.push({ start, ...now });
  };
  for (const [index, { start, ...place }] of places.entries()) {
    if (start >= to) break;
    now = place.row === undefined ? place : { ...now, ...place };
    put(start);
    if (place.row === undefined) continue;
    // Rows of a table count on line by line, up to the next place.
    let nextRow = place.row + 1;
    const end = Math.min(places[index + 1]?.start ?? text.length, to);
    for (let line = nextLine(text, start); line < end && text[line] === '|'; line = nextLine(text, line)) {
      if (divider.test(text.slice(line, nextLine(text, line)).trimEnd())) continue;
      now = { ...now, row: nextRow };
      nextRow += 1;
      put(line);
    }
  }
  return found;
}

function nextLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end + 1;
}
