import { posix } from 'node:path';
import type { FileKind } from '../../../contract/files.ts';
import { unreadable } from '../file-failure.ts';
import { readXml } from './read-xml.ts';
import { openZip } from './read-zip.ts';

interface Relation {
  id: string;
  /** The last part of its relationship type: `slide`, `worksheet`, `notesSlide`. */
  type: string;
  /** Name of the part in the zip. */
  part: string;
}

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
export async function openOffice(bytes: Uint8Array, maxBytes: number) {
  const zip = await openZip(bytes, maxBytes);

  /** The parts that a part refers to; '' is the whole document. */
  async function relationsOf(part: string): Promise<Relation[]> {
    const { dir, base } = posix.parse(part);
    const relations: Relation[] = [];
    readXml(await zip.read(posix.join(dir, '_rels', `${base}.rels`)), {
      open(name, attributes) {
        if (name !== 'Relationship') return;
        const { Id: id = '', Type = '', Target = '', TargetMode = '' } = attributes();
        const target = posix.resolve('/', dir, Target.replaceAll('\\', '/')).slice(1);
        if (!/^external$/i.test(TargetMode)) relations.push({ id, type: posix.basename(Type), part: target });
      },
    });
    return relations;
  }

  /** Parts by relationship id, of these types, in order; each part once. */
  async function relatedTo(part: string, ...types: string[]) {
    const related: (Relation & { bytes: Buffer })[] = [];
    for (const relation of await relationsOf(part)) {
      if (!types.includes(relation.type)) continue;
      const bytes = await zip.read(relation.part);
      if (bytes) related.push({ ...relation, bytes });
    }
    return related;
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
    readXml(await zip.read('[Content_Types].xml'), {
      open(name, attributes) {
        const {
          PartName,
          Extension,
          ContentType = '',
        } = /^(?:Override|Default)$/.test(name) ? attributes() : {};
        types.set((PartName ?? `.${Extension}`).toLowerCase(), ContentType);
      },
    });
    return (part) =>
      types.get(`/${part.toLowerCase()}`) ?? types.get(posix.extname(part).toLowerCase()) ?? '';
  }

  return {
    /** Kind and name of the main part; null if it is no such document. */
    main,
    read: zip.read,
    relationsOf,
    relatedTo,
    only,
    /** The title in its properties; '' if none. */
    async title(): Promise<string> {
      const [part = 'docProps/core.xml'] = (await relationsOf(''))
        .filter(({ type }) => type === 'core-properties')
        .map((relation) => relation.part);
      return titleIn(await zip.read(part));
    },
  };
}

/** Opens a document whose main part must be of this kind. @throws FileFailure damaged. */
export async function openMain(bytes: Uint8Array, kind: OfficeKind, maxBytes: number) {
  const office = await openOffice(bytes, maxBytes);
  const main = await office.main();
  const content = main?.kind === kind ? await office.read(main.part) : undefined;
  if (!main || !content) throw unreadable('damaged');
  return { office, part: main.part, content };
}

function titleIn(properties: Buffer | undefined): string {
  let title = '';
  let isTitle = false;
  readXml(properties, {
    open: (name) => {
      isTitle = name === 'title';
    },
    close: () => {
      isTitle = false;
    },
    text: (text) => {
      if (isTitle) title += text;
    },
  });
  return title.trim();
}
