import { posix } from 'node:path';
import { type Entry, fromBufferPromise, getFileNameLowLevel, type ZipFile } from 'yauzl';
import type { FileKind } from '../../../contract/files.ts';
import { FileFailure, tooLarge, unreadable } from '../file-to-read.ts';
import { ifReadable } from './not-read.ts';
import { elementsNamed, elementsOf, readTree, textIn } from './read-xml.ts';

interface Relation {
  id: string;
  /** The last part of its relationship type: `slide`, `worksheet`, `notesSlide`. */
  type: string;
  /** Name of the part in the zip. */
  part: string;
}

type RelatedPart = Relation & { bytes: Buffer };

type OfficeKind = Extract<FileKind, 'docx' | 'xlsx' | 'pptx'>;

/** Names of main parts that are used if no relationship tells another. */
const usualParts: Readonly<Record<OfficeKind, string>> = {
  docx: 'word/document.xml',
  xlsx: 'xl/workbook.xml',
  pptx: 'ppt/presentation.xml',
};

/** Content types of main parts, of documents, templates and slide shows, with and without macros. */
const mainTypes: readonly [OfficeKind, RegExp][] = [
  ['docx', /(?:wordprocessingml|ms-word)\.(?:document|template)\b/i],
  ['xlsx', /(?:spreadsheetml|ms-excel)\.(?:sheet|template|addin)\.(?!binary)/i],
  ['pptx', /(?:presentationml|ms-powerpoint)\.(?:presentation|slideshow|template|addin)\b/i],
];

export type OfficePackage = Awaited<ReturnType<typeof openOffice>>;

/**
 * Opens an Office document, whose parts are found by their relationships, see ECMA-376 part 2. Parts outside of the file are ignored.
 * @param maxBytes total bytes of all parts that are read. @throws Error if it is no zip.
 */
export async function openOffice(bytes: Buffer, maxBytes: number) {
  const zip = await openZip(bytes, maxBytes);

  /** The parts that a part refers to; '' is the whole document. */
  async function relationsOf(part: string): Promise<Relation[]> {
    const { dir, base } = posix.parse(part);
    const relations: Relation[] = [];
    const list = await zip.read(posix.join(dir, '_rels', `${base}.rels`));
    for (const { attributes } of elementsNamed(readTree(list), 'Relationship')) {
      const { Id: id = '', Type = '', Target = '', TargetMode = '' } = attributes;
      const target = posix.resolve('/', dir, Target.replaceAll('\\', '/')).slice(1);
      if (!/^external$/i.test(TargetMode)) relations.push({ id, type: posix.basename(Type), part: target });
    }
    return relations;
  }

  /** The parts of these types that a part refers to, in order. @throws FileFailure as soon as one is damaged. */
  async function relatedTo(part: string, ...types: string[]) {
    const related: RelatedPart[] = [];
    for (const relation of await relationsOf(part)) {
      if (!types.includes(relation.type)) continue;
      const bytes = await zip.read(relation.part);
      if (bytes) related.push({ ...relation, bytes });
    }
    return related;
  }

  /** Parts whose list of relationships is damaged, which is said once. */
  const withoutRelations = new Set<string>();

  /** Visits the same parts one after the other. A damaged one calls `onDamage`, and the others are read. */
  async function eachRelated(
    part: string,
    types: readonly string[],
    onDamage: () => void,
    visit: (related: RelatedPart) => unknown,
  ): Promise<void> {
    const relations = await ifReadable(() => relationsOf(part));
    if (!relations && !withoutRelations.has(part)) onDamage();
    if (!relations) withoutRelations.add(part);
    for (const relation of relations ?? []) {
      if (!types.includes(relation.type)) continue;
      const isRead = await ifReadable(async () => {
        const bytes = await zip.read(relation.part);
        if (bytes) await visit({ ...relation, bytes });
        return true;
      });
      if (!isRead) onDamage();
    }
  }

  /** The part of a type of which there is one; without a relationship, the one beside `part` that is named after its type. */
  async function only(part: string, type: string): Promise<Buffer | undefined> {
    const [related] = await relatedTo(part, type);
    return related?.bytes ?? zip.read(posix.join(posix.dirname(part), `${type}.xml`));
  }

  async function main(): Promise<{ kind: OfficeKind; part: string } | null> {
    const stated = (await relationsOf('')).find(({ type }) => type === 'officeDocument')?.part;
    const types = await contentTypes();
    for (const [kind, usual] of Object.entries(usualParts) as [OfficeKind, string][]) {
      const [, pattern] = mainTypes.find(([of]) => of === kind)!;
      if (stated && (pattern.test(types(stated)) || stated.toLowerCase() === usual))
        return { kind, part: stated };
    }
    const usual = Object.entries(usualParts).find(([, part]) => zip.names.includes(part));
    return usual ? { kind: usual[0] as OfficeKind, part: usual[1] } : null;
  }

  async function contentTypes(): Promise<(part: string) => string> {
    const types = new Map<string, string>();
    const list = readTree(await zip.read('[Content_Types].xml'));
    for (const { attributes } of elementsOf(list).flatMap(elementsOf)) {
      const { PartName, Extension, ContentType = '' } = attributes;
      types.set((PartName ?? `.${Extension}`).toLowerCase(), ContentType);
    }
    return (part) =>
      types.get(`/${part.toLowerCase()}`) ?? types.get(posix.extname(part).toLowerCase()) ?? '';
  }

  return {
    /** Kind and name of the main part; null if it is no such document. */
    main,
    read: zip.read,
    relationsOf,
    relatedTo,
    eachRelated,
    only,
    /** The title in its properties; '' if none. */
    async title(): Promise<string> {
      const [part = 'docProps/core.xml'] = (await relationsOf(''))
        .filter(({ type }) => type === 'core-properties')
        .map((relation) => relation.part);
      return elementsNamed(readTree(await zip.read(part)), 'title')
        .map(textIn)
        .join('')
        .trim();
    },
  };
}

/** Opens a document whose main part must be of this kind. @throws FileFailure damaged. */
export async function openMain(bytes: Buffer, kind: OfficeKind, maxBytes: number) {
  const office = await openOffice(bytes, maxBytes);
  const main = await office.main();
  const content = main?.kind === kind ? await office.read(main.part) : undefined;
  if (!main || !content) throw unreadable('damaged');
  return { office, part: main.part, content };
}

/** Maximum number of files in a zip; a document has a few dozen. */
const maxEntries = 20_000;

/**
 * Opens a zip, whose files are unpacked on demand. Names are compared as programs that write Office documents do: regardless of case,
 * percent-encoding, backslashes and a leading slash. Sizes declared in the zip are not trusted: unpacking stops at the limit.
 * @param maxBytes total bytes of all files that are read. @throws Error if the directory is damaged.
 */
async function openZip(bytes: Buffer, maxBytes: number) {
  const buffer = withoutTail(bytes);
  // Names are decoded here, since the library refuses a whole zip because of one absolute name; nothing is written to a disk.
  const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true, decodeStrings: false };
  const zip = await fromBufferPromise(buffer, options);
  if (zip.entryCount > maxEntries) throw unreadable('damaged');
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
    entries.set(keyOf(getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)), entry);
  }
  const read = new Map<string, Buffer>();
  let left = maxBytes;

  return {
    /** Names in lower case, with slashes. */
    names: [...entries.keys()],
    /** undefined if there is no such file. @throws FileFailure too large, encrypted or damaged. */
    async read(name: string): Promise<Buffer | undefined> {
      const key = keyOf(name);
      const entry = entries.get(key);
      const before = read.get(key);
      if (before || !entry) return before;
      if (entry.isEncrypted()) throw unreadable('encrypted');
      if (entry.uncompressedSize > left) throw tooLarge('unpacked', Math.floor(maxBytes / 1e6));
      const part = await unpack(zip, entry, left, maxBytes);
      left -= part.length;
      read.set(key, part);
      return part;
    },
  };
}

const endOfDirectory = Buffer.from('PK\x05\x06');

/** Ends a zip with its directory: transmission adds or cuts bytes at the end, which the library refuses. */
function withoutTail(bytes: Buffer): Buffer {
  const at = bytes.lastIndexOf(endOfDirectory);
  if (at < 0 || at + 20 > bytes.length) return bytes;
  return Buffer.concat([bytes.subarray(0, at + 20), Buffer.alloc(2)]);
}

function keyOf(name: string): string {
  const path = name.replaceAll('\\', '/').replace(/^\/+/, '').toLowerCase();
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

async function unpack(zip: ZipFile, entry: Entry, left: number, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    const stream = await zip.openReadStreamPromise(entry);
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > left) throw tooLarge('unpacked', Math.floor(maxBytes / 1e6));
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof FileFailure ? error : unreadable('damaged');
  }
  return Buffer.concat(chunks);
}
