import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { ApiError } from '../../../api/src/errors/errors.ts';
import { createExtractor } from '../../../api/src/files/extraction/create-extractor.ts';
import type { PartResult } from '../figures.ts';
import { referenceText } from './reference-text.ts';
import { type Compared, coverageOf, figuresOf, wordsOf } from './word-coverage.ts';

/** Kinds of files that are compared or counted, by their ending. */
const kinds: Readonly<Record<string, RegExp>> = {
  pdf: /^\.pdf$/,
  docx: /^\.do[ct][xm]$/,
  xlsx: /^\.xl[st][xm]$/,
  pptx: /^\.p(?:pt|ps|ot)[xm]$/,
  html: /^\.html?$/,
  csv: /^\.[ct]sv$/,
  mail: /^\.(?:eml|mht|mhtml)$/,
  'other documents': /^\.(?:doc|xls|ppt|rtf|od[tsp]|msg|epub)$/,
};
const listed = 20;

interface File extends Compared {
  path: string;
  kind: string;
  seconds: number;
}

/**
 * Reads every document below `folders` as the server does, and compares its words with those that other programs find: how much of
 * the text is lost, and whether the file says so.
 */
export async function measureFiles({
  folders,
  log,
}: {
  folders: readonly string[];
  log: (line: string) => void;
}): Promise<PartResult[]> {
  const files = await compareFiles(folders, (file, done) => {
    if (done % 100 === 0) log(`${done} files, ${file.path}`);
  });
  return Object.keys(kinds).flatMap((kind) => {
    const own = files.filter((file) => file.kind === kind);
    return own.length === 0 ? [] : partOf(kind, own);
  });
}

/** Compares one file after the other. */
export async function compareFiles(
  folders: readonly string[],
  onFile: (file: File, done: number) => void,
): Promise<File[]> {
  const extractor = createExtractor({ max: 1 });
  const files: File[] = [];
  try {
    for (const file of await documentsIn(folders)) {
      const start = performance.now();
      const read = await extractor.extract(file.path, path.basename(file.path), {}).catch(refusalOf);
      const seconds = (performance.now() - start) / 1000;
      const reference = typeof read === 'string' ? null : await referenceText(file.path);
      const compared =
        typeof read === 'string'
          ? { coverage: null, hasNotice: false, refused: read }
          : {
              coverage: coverageOf(wordsOf(reference ?? ''), wordsOf(read.text)),
              hasNotice: read.notices.length > 0,
              refused: null,
            };
      files.push({ ...file, ...compared, seconds });
      onFile(files.at(-1)!, files.length);
    }
  } finally {
    await extractor.close();
  }
  return files;
}

async function documentsIn(folders: readonly string[]): Promise<{ path: string; kind: string }[]> {
  const found = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(folder, { recursive: true, withFileTypes: true });
      return entries.flatMap((entry) => {
        const ending = path.extname(entry.name).toLowerCase();
        const [kind] = Object.entries(kinds).find(([, endings]) => endings.test(ending)) ?? [];
        return kind && entry.isFile() ? { path: path.join(entry.parentPath, entry.name), kind } : [];
      });
    }),
  );
  return found.flat().sort((a, b) => a.path.localeCompare(b.path));
}

/** The reason by which the server refuses a file. */
function refusalOf(error: unknown): string {
  if (!(error instanceof ApiError)) throw error;
  return error.key;
}

function partOf(kind: string, files: readonly File[]): PartResult {
  const { mean, refused, ...counts } = figuresOf(files);
  const lowest = files
    .filter(({ coverage }) => coverage !== null && coverage < 0.99)
    .sort((a, b) => a.coverage! - b.coverage!)
    .slice(0, listed);
  const seconds = files.reduce((sum, file) => sum + file.seconds, 0);
  return {
    part: `files: ${kind}`,
    about:
      'share of the words of each file that the reader finds; compared are those that it and the reference read',
    figures: [
      { name: 'files', value: counts.files, unit: '' },
      { name: 'refused', value: files.filter((file) => file.refused !== null).length, unit: '' },
      { name: 'compared', value: counts.measured, unit: '' },
      ...(mean === null ? [] : [{ name: 'words found, mean', value: mean * 100, unit: '%' }]),
      { name: 'below 99 %', value: counts.below99, unit: '' },
      { name: 'below 90 %', value: counts.below90, unit: '' },
      { name: 'below 50 %', value: counts.below50, unit: '' },
      { name: 'below 50 % without a notice', value: counts.silentBelow50, unit: '' },
      { name: 'time per file', value: (seconds / files.length) * 1000, unit: 'ms' },
    ],
    details: [
      ...Object.entries(refused).map(([reason, count]) => `refused: ${reason} ${count}`),
      ...lowest.map(
        (file) =>
          `${(file.coverage! * 100).toFixed(0).padStart(3)} %${file.hasNotice ? ', said' : ''}: ${file.path}`,
      ),
    ],
  };
}
