import { readFile } from 'node:fs/promises';
import type { Language } from '../../../api/src/contract/language.ts';

/** How a question is put; each kind is hard in its own way. */
export const KINDS = [
  'plain',
  'how-to',
  'keyword',
  'typo',
  'traditional',
  'full-width',
  'paraphrase',
  'number',
  'place',
  'mixed',
] as const;
export type Kind = (typeof KINDS)[number];

export interface Unanswerable {
  language: Language;
  kind: Kind;
  question: string;
}

export interface Answerable extends Unanswerable {
  /** `debian-reference-en/ch01.en.html`, `handbook/zh/01-start.md`. */
  document: string;
  /** Heading of the section that answers, for people. */
  section: string;
  /** A passage answers when it holds one of these, see `foldQuote`. */
  quotes: string[];
}

export interface QuestionSet {
  answerable: Answerable[];
  unanswerable: Unanswerable[];
}

/** `dev` is there to tune on, `test` is not. */
export type SetName = 'dev' | 'test';

export async function readQuestions(set: SetName): Promise<QuestionSet> {
  return JSON.parse(await readFile(new URL(`./questions/${set}.json`, import.meta.url), 'utf8'));
}

/** A small document as companies have them, what it answers, with words of the answer, and what it does not. */
interface SmallDocument {
  name: string;
  language: Language;
  title: string;
  text: string;
  answerable: { question: string; expects: string }[];
  unanswerable: string[];
}

interface Refusals {
  /** Near the topics of both corpora, or far from them. */
  unanswerable: Unanswerable[];
  /** Asked of shops, offices and schools: to be refused where there is nothing but the handbook. */
  elsewhere: Pick<Unanswerable, 'language' | 'question'>[];
  documents: SmallDocument[];
}

/** What refusing was fitted on besides `dev`. */
export async function readRefusals(): Promise<Refusals> {
  return JSON.parse(await readFile(new URL('./questions/refusals-dev.json', import.meta.url), 'utf8'));
}
