import { readFile } from 'node:fs/promises';
import type { Language } from '../../../api/src/contract/language.ts';

/** Kinds of questions, each with its own difficulty. */
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
  /** A passage with one of these answers, see `foldQuote`. */
  quotes: string[];
}

export interface QuestionSet {
  answerable: Answerable[];
  unanswerable: Unanswerable[];
}

/** `dev` is for tuning, `test` is not. */
export type SetName = 'dev' | 'test';

export async function readQuestions(set: SetName): Promise<QuestionSet> {
  return JSON.parse(await readFile(new URL(`./questions/${set}.json`, import.meta.url), 'utf8'));
}

/** A small document as companies have them, with questions that it answers, and others. */
interface SmallDocument {
  name: string;
  language: Language;
  title: string;
  text: string;
  answerable: { question: string; expects: string }[];
  unanswerable: string[];
}

interface Refusals {
  /** Near the topics of both corpora, or not. */
  unanswerable: Unanswerable[];
  /** Questions to shops, offices and schools, to be refused if there is only the handbook. */
  elsewhere: Pick<Unanswerable, 'language' | 'question'>[];
  /** What people ask anybody, and no document here answers. */
  everyday: Pick<Unanswerable, 'language' | 'question'>[];
  documents: SmallDocument[];
}

/** Questions besides `dev` that refusing is fitted on. */
export async function readRefusals(): Promise<Refusals> {
  return JSON.parse(await readFile(new URL('./questions/refusals-dev.json', import.meta.url), 'utf8'));
}
