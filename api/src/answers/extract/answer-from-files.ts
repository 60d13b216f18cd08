import type { Language } from '../../contract/language.ts';
import { listOf, type Text, textsOf } from '../../i18n/texts-of.ts';
import type { Question, QuestionFile } from '../answerer.ts';
import type { KnowledgePassage } from '../index/passage.ts';
import type { KnowledgeModels } from '../knowledge-models.ts';
import { analyseQuestion } from '../retrieve/analyse-question.ts';
import { coverageOf } from '../retrieve/rank.ts';
import { plainName } from './quoted-words.ts';
import { type SummarisedDocument, summarise } from './summarise.ts';

const textOf = textsOf('answers');

/** Maximum number of passages of a file that a summary reads. */
const maxSummarised = 400;

/** Reads documents of an owner ('' for shared ones) with their passages, in this order. */
export async function readDocuments(
  models: KnowledgeModels,
  owner: string,
  ids: readonly string[],
): Promise<SummarisedDocument[]> {
  const documents = await models.documents
    .find({ _id: { $in: [...ids] }, owner, hidden: { $ne: true } }, { title: 1, language: 1, text: 1 })
    .lean();
  const found: SummarisedDocument[] = [];
  for (const id of ids) {
    const document = documents.find(({ _id }) => _id === id);
    if (!document) continue;
    const passages = await models.passages
      .find({ documentId: id, owner })
      .sort({ start: 1 })
      .limit(maxSummarised)
      .lean();
    const { title, language, text } = document;
    found.push({ title, language, length: text.length, passages });
  }
  return found;
}

export function documentIdsOf(files: readonly QuestionFile[]): string[] {
  return files.flatMap(({ documentId }) => documentId ?? []);
}

/** A note about the files without readable text; '' if there are none. */
export function unreadFiles(files: readonly QuestionFile[], language: Language): string {
  const unread = files.filter(({ documentId }) => documentId === null);
  if (unread.length === 0) return '';
  const pictures = unread.every(({ kind }) => kind === 'image');
  return textOf(pictures ? 'unread_pictures' : 'unread_files', named(unread))(language);
}

/** The answer if the files with readable text do not contain one. */
export function notInFiles(files: readonly QuestionFile[], language: Language): string {
  return textOf('not_in_files', named(files.filter(({ documentId }) => documentId !== null)))(language);
}

/** Number and names of files, for a text about them. */
function named(files: readonly QuestionFile[]): { count: number; names: Text } {
  const names = files.map(({ name }) => textOf('quoted_name', { name: plainName(name) }));
  return { count: files.length, names: listOf(names) };
}

const aboutTheWhole =
  /总结|概括|概述|摘要|讲了什么|说了什么|写了什么|是什么内容|主要内容|大意|说的是什么|这是什么|\b(?:summar\w+|sum (?:it|this|them) up|tl;?dr|what (?:is|does) (?:this|it|the (?:file|document))(?: about| say| contain)?|overview|outline|gist)\b/giu;
const wordsForFiles =
  /[这那]?[些份个篇]?(?:文件|文档|附件|资料|合同|报告)|\b(?:files?|documents?|attachments?|contract|report|pdf)\b/giu;

/** Whether a question about files asks for a summary. 'perhaps a summary': only if no passage answers. */
export function askedOfFiles({
  text,
  language,
}: Pick<Question, 'text' | 'language'>): 'summary' | 'perhaps a summary' | 'something' {
  const hasNoContent = (asked: string) => analyseQuestion(asked, language).units.length === 0;
  if (hasNoContent(text)) return 'summary';
  const rest = text.replace(aboutTheWhole, ' ');
  if (rest === text) return 'something';
  return hasNoContent(rest.replace(wordsForFiles, ' ')) ? 'summary' : 'perhaps a summary';
}

/** A summary of the document that a question for a summary names; null for any other question. */
export async function summariseNamed(
  models: KnowledgeModels,
  { text, language }: Pick<Question, 'text' | 'language'>,
  passages: readonly KnowledgePassage[],
) {
  const rest = text.replace(aboutTheWhole, ' ');
  const { units } = analyseQuestion(rest, language);
  if (rest === text || units.length === 0) return null;
  const isNamed = ({ title, edition }: KnowledgePassage) =>
    edition === '' && coverageOf(title, units).every((share) => share === 1);
  const named = passages.find(isNamed);
  return named ? summarise(await readDocuments(models, named.owner, [named.documentId]), language) : null;
}

/** A question for a summary of the conversation's earlier files, with these files; null for any other. */
export function summaryOfEarlier(question: Question): Question | null {
  const { text, earlierDocumentIds = [] } = question;
  if (earlierDocumentIds.length === 0 || text.search(aboutTheWhole) < 0) return null;
  if (askedOfFiles(question) !== 'summary') return null;
  const files = earlierDocumentIds.map(
    (documentId): QuestionFile => ({ name: '', kind: 'text', documentId, readImage: null }),
  );
  return { ...question, files, isSummary: true };
}
