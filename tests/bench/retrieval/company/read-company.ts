import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Language } from '../../../../api/src/contract/language.ts';
import { createExtractor } from '../../../../api/src/files/extraction/create-extractor.ts';
import type { CorpusDocument } from '../corpus/read-chapters.ts';

const folder = join(import.meta.dirname, 'sets');

/** For tuning, or locked: measured once before a release and never looked at. */
export type CompanySet = 'dev' | 'locked';

export interface CompanyQuestion {
  id: string;
  language: Language;
  kind: string;
  set: CompanySet;
  question: string;
  /** Earlier questions of the same conversation, oldest first. */
  before?: string[];
  /** The document that answers; null when none does. */
  document: string | null;
  /** A passage with one of these answers. */
  quotes?: string[];
  /** An answer with one of these is correct. */
  fact?: string[];
  /** Language of the document, if it is another one than the question's. */
  documentLanguage?: Language;
  /** The document is the asker's own file, sent with the first question of the conversation. */
  private?: boolean;
}

export interface CompanyDocument extends CorpusDocument {
  isPrivate: boolean;
}

export async function readCompanyQuestions(): Promise<CompanyQuestion[]> {
  const read = async (language: Language) => {
    const text = await readFile(join(folder, language, 'questions.json'), 'utf8');
    return (JSON.parse(text) as Omit<CompanyQuestion, 'language'>[]).map((one) => ({ ...one, language }));
  };
  return [...(await read('zh')), ...(await read('en'))];
}

interface EverydayWords {
  kind: string;
  question: string;
  /** Id of a question with the same answer, in other words; none if nothing answers. */
  of?: string;
  /** Default: that of `of`. */
  language?: Language;
}

/**
 * Questions in everyday words over the same documents: numbers in other writings, abbreviations, misspelt words, identifiers and questions in another language. Nothing is
 * chosen by them.
 */
export async function readEverydayWords(): Promise<CompanyQuestion[]> {
  const known = new Map((await readCompanyQuestions()).map((one) => [one.id, one]));
  const some = JSON.parse(await readFile(join(folder, 'everyday-words.json'), 'utf8')) as EverydayWords[];
  return some.map(({ of, kind, question, language: asked }, at) => {
    const id = `words-${at}`;
    if (of === undefined) return { id, kind, question, language: asked ?? 'zh', set: 'dev', document: null };
    const same = known.get(of);
    if (!same) throw new Error(`everyday-words.json: no question ${of}`);
    const { language: documentLanguage, ...answer } = same;
    return { ...answer, id, kind, question, language: asked ?? documentLanguage, documentLanguage };
  });
}

/** The documents as the desk reads uploads; private if all their questions are. */
export async function readCompanyDocuments(
  questions: readonly CompanyQuestion[],
): Promise<CompanyDocument[]> {
  const extractor = createExtractor({ max: 1 });
  const documents: CompanyDocument[] = [];
  try {
    for (const language of ['zh', 'en'] as const) {
      const within = join(folder, language, 'documents');
      for (const file of (await readdir(within)).sort()) {
        const asked = questions.filter((one) => one.language === language && one.document === file);
        const isPrivate = asked.length > 0 && asked.every((one) => one.private);
        const { title, text } = await extractor.extract(join(within, file), file, {});
        documents.push({ name: `${language}/${file}`, title: title || file, language, text, isPrivate });
      }
    }
  } finally {
    await extractor.close();
  }
  return documents;
}
