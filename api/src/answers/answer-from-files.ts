import type { Citation } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import type { Question, QuestionFile } from './answerer.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import { plainName } from './quoted-words.ts';
import { type SummarisedDocument, summarise } from './summarise.ts';

/** Passages of each file that a summary looks at. */
const mostSummed = 400;

/** The owner's documents that the files became, in the files' order, as they stand. */
export async function readFileDocuments(
  models: KnowledgeModels,
  { owner, files = [] }: Pick<Question, 'owner' | 'files'>,
): Promise<SummarisedDocument[]> {
  const ids = documentIdsOf(files);
  const documents = await models.documents
    .find({ _id: { $in: ids }, owner, hidden: { $ne: true } }, { title: 1, language: 1, text: 1 })
    .lean();
  const found: SummarisedDocument[] = [];
  for (const id of ids) {
    const document = documents.find(({ _id }) => _id === id);
    if (!document) continue;
    const passages = await models.passages
      .find({ documentId: id, owner })
      .sort({ start: 1 })
      .limit(mostSummed)
      .lean();
    const { title, language, text } = document;
    found.push({ title, language, length: text.length, passages });
  }
  return found;
}

export function documentIdsOf(files: readonly QuestionFile[]): string[] {
  return files.flatMap(({ documentId }) => documentId ?? []);
}

/** The files in their own words, and what could not be read of them. */
export async function sumUpFiles(
  models: KnowledgeModels,
  question: Question,
  language: Language,
): Promise<{ text: string; citations: Citation[] }> {
  const documents = await readFileDocuments(models, question);
  const { text, citations } = summarise(documents, language);
  const unread = unreadFiles(question.files ?? [], language);
  return { text: [text, unread].filter(Boolean).join('\n\n'), citations };
}

/** A sentence about the files in which nothing could be read; '' where all were. */
export function unreadFiles(files: readonly QuestionFile[], language: Language): string {
  const unread = files.filter(({ documentId }) => documentId === null);
  if (unread.length === 0) return '';
  const pictures = unread.every(({ kind }) => kind === 'image');
  const names = unread.map(({ name }) => {
    const plain = plainName(name);
    return language === 'zh' ? `“${plain}”` : `"${plain}"`;
  });
  if (language === 'zh')
    return pictures
      ? `图片${names.join('、')}里没有读出文字，也没有能看图的模型，所以无法说明图中的内容。`
      : `文件${names.join('、')}里没有读出文字。`;
  const list = names.join(', ');
  return pictures
    ? `No text could be read in the picture${unread.length > 1 ? 's' : ''} ${list}, and there is no model here that sees pictures, so what ${unread.length > 1 ? 'they show' : 'it shows'} cannot be told.`
    : `No text could be read in ${list}.`;
}

/** What is said where the files do not say what was asked. */
export function notInFiles(files: readonly QuestionFile[], language: Language): string {
  const names = files.filter(({ documentId }) => documentId !== null).map(({ name }) => plainName(name));
  if (language === 'zh')
    return `${names.map((name) => `“${name}”`).join('、')}里没有找到回答这个问题的内容。可以换一种说法再问。`;
  return `Nothing in ${names.map((name) => `"${name}"`).join(', ')} answers this question. Please try other words.`;
}
