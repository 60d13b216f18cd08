import { readFile } from 'node:fs/promises';
import type { FileKind } from '../../contract/files.ts';
import type { UnreadableReason } from '../../errors/errors.ts';
import { collectNotices } from './collect-notices.ts';
import { detectKind } from './detect-kind.ts';
import { detectLanguage } from './detect-language.ts';
import type { Extracted, ExtractionProgress } from './extractor.ts';
import { type FileToRead, type ReadFile, tooLarge, unreadable } from './file-to-read.ts';
import { takePlaces, withoutMarks } from './place-marks.ts';
import type { ReadJob } from './reader-messages.ts';
import { titleOf, withoutEnding } from './title-of.ts';

/** Readers are loaded on demand: PDF.js and OCR are slow to load. */
const readers = {
  text: async () => (await import('./read-text.ts')).readPlainText,
  markdown: async () => (await import('./read-text.ts')).readText,
  csv: async () => (await import('./read-csv.ts')).readCsv,
  json: async () => (await import('./read-json.ts')).readJson,
  html: async () => (await import('./read-html.ts')).readHtml,
  mail: async () => (await import('./read-mail.ts')).readMail,
  pdf: async () => (await import('./pdf/read-pdf.ts')).readPdf,
  docx: async () => (await import('./office/read-docx.ts')).readDocx,
  xlsx: async () => (await import('./office/read-xlsx.ts')).readXlsx,
  pptx: async () => (await import('./office/read-pptx.ts')).readPptx,
  image: async () => (await import('./read-image.ts')).readImage,
} satisfies Record<Extracted['kind'], () => Promise<(file: FileToRead) => ReadFile | Promise<ReadFile>>>;

/** @throws FileFailure; any other exception comes from a library that could not handle the file. */
export async function readFileText(
  { path, name, limits }: ReadJob,
  onProgress: (progress: ExtractionProgress) => void,
  onSeen: (seen: Omit<Extracted, 'text'>) => void,
): Promise<Extracted> {
  const bytes = await readFile(path);
  if (bytes.length === 0) throw unreadable('empty');
  const { kind, type, text: decoded } = await detectKind(bytes, name);
  const read = await readers[kind]();
  const file = await read({
    bytes,
    type,
    text: decoded,
    limits,
    onProgress,
    onSeen: ({ size }) =>
      onSeen({ kind, type, title: '', notices: [], language: 'zh', pages: 1, places: [], size }),
    readEmbedded: (part, partName) => readEmbedded(part, partName, limits, maxEmbedding),
  });
  const { text, places } = takePlaces(clean(file.text));
  if (text.length > limits.maxText) throw tooLarge('text', limits.maxText);
  if (text === '' && kind !== 'image') throw unreadable(withoutText[kind] ?? 'empty');
  const { title = '', pages = 1, size = null } = file;
  const notices = [...(file.notices ?? [])];
  // PDF reports its characters by page.
  const damaged = kind === 'pdf' ? 0 : (text.match(/\ufffd/g)?.length ?? 0);
  if (damaged > 0) notices.push({ code: 'characters_damaged', count: damaged });
  const language = detectLanguage(text);
  return {
    kind,
    type,
    text,
    places,
    title: titleOf(clean(title)) || withoutEnding(name),
    notices: collectNotices(notices),
    language,
    pages,
    size,
  };
}

/** Reasons for files that are not empty, although no text was found in them. */
const withoutText: Partial<Record<FileKind, UnreadableReason>> = {
  pdf: 'no_text',
  docx: 'no_words',
  xlsx: 'no_words',
  pptx: 'no_words',
};

/** Maximum nesting of documents within documents. */
const maxEmbedding = 3;

/** Kinds of documents that others contain; images would have to be recognised. */
const embeddable: ReadonlySet<FileKind> = new Set(['text', 'markdown', 'csv', 'html', 'docx']);

async function readEmbedded(
  bytes: Buffer,
  name: string,
  limits: ReadJob['limits'],
  depth: number,
): Promise<ReadFile | null> {
  const detected = await detectKind(bytes, name).catch(() => null);
  if (!detected || !embeddable.has(detected.kind) || depth === 0) return null;
  const read = await readers[detected.kind]();
  const file = await read({
    ...detected,
    bytes,
    limits,
    onProgress: () => undefined,
    onSeen: () => undefined,
    readEmbedded: (part, partName) => readEmbedded(part, partName, limits, depth - 1),
  });
  return { ...file, text: withoutMarks(file.text) };
}

/**
 * Characters that are removed: control characters except tab and line end, direction marks, byte order marks,
 * Unicode noncharacters except those of place marks.
 */
const useless =
  /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]|(?![\ufdd0\ufdd1])\p{Noncharacter_Code_Point}/gu;

/** Normalises a text: well-formed, `\n` line ends, at most one empty line in a row, trimmed. */
function clean(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085\f\v]/g, '\n')
    .toWellFormed()
    .replace(useless, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}
