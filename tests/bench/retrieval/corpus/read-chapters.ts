import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../../../../api/src/contract/language.ts';
import { createExtractor } from '../../../../api/src/files/extraction/create-extractor.ts';
import type { DebianReference } from './debian-reference.ts';

export interface CorpusDocument {
  /** As questions name it: `debian-reference-en/ch01.en.html`. */
  name: string;
  title: string;
  language: Language;
  text: string;
}

const chapter = /^(?:ch\d+|pr01|apa)\.(en|zh-cn)\.html$/;

/** The chapters as the desk reads uploaded HTML. */
export async function readChapters({ folder }: DebianReference): Promise<CorpusDocument[]> {
  const extractor = createExtractor({ max: 1 });
  const documents: CorpusDocument[] = [];
  try {
    for (const file of (await readdir(folder)).sort()) {
      const edition = chapter.exec(file)?.[1];
      if (edition === undefined) continue;
      const { title, text } = await extractor.extract(join(folder, file), file, {});
      const language = edition === 'en' ? 'en' : 'zh';
      documents.push({ name: `debian-reference-${edition}/${file}`, title: title || file, language, text });
    }
  } finally {
    await extractor.close();
  }
  return documents;
}
