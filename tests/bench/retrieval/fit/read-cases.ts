import { readFile } from 'node:fs/promises';
import type { Language } from '../../../../api/src/contract/language.ts';
import { type CompanyQuestion, readCompanyQuestions } from '../company/read-company.ts';
import { readQuestions, readRefusals } from '../read-questions.ts';

/**
 * What a question is asked of: the handbook with Debian Reference, small documents or the companies' documents, these among some 10,000 foreign passages, the handbook
 * alone, or one document.
 */
export type Store = 'reference' | 'documents' | 'company' | 'embedded' | 'handbook' | 'file' | 'company file';

export interface Case {
  /** Cases of one group are in the same fold of a cross-validation. */
  group: string;
  set: string;
  store: Store;
  kind: string;
  text: string;
  language: Language;
  isAnswerable: boolean;
  quotes: readonly string[];
  /** Headings of the sections that answer, for sets without quotes. */
  headings?: readonly string[];
  /** Name of the document, for a question about one's own file. */
  file?: string;
}

/** Number of folds of the cross-validations. */
export const folds = 10;

/** The fold of a case: that of its group. */
export function foldOf({ group }: Case): number {
  let hash = 7;
  for (const char of group) hash = (hash * 31 + char.codePointAt(0)!) >>> 0;
  return (hash >>> 3) % folds;
}

const fixtures = ['handbook-questions', 'more-questions', 'fresh-questions', 'records-questions'];

/** All questions that refusing is fitted on; none of `test`. */
export async function readCases(): Promise<Case[]> {
  const { answerable, unanswerable } = await readQuestions('dev');
  const refusals = await readRefusals();
  const no = { isAnswerable: false, quotes: [] };
  const caseOf =
    (set: string, store: Store) => (one: { question: string; language: Language; kind?: string }) => ({
      ...no,
      group: one.question,
      set,
      store,
      kind: one.kind ?? '',
      text: one.question,
      language: one.language,
    });
  const cases: Case[] = [
    ...answerable.map((one) => ({
      ...caseOf('dev', 'reference')(one),
      isAnswerable: true,
      quotes: one.quotes,
    })),
    ...unanswerable.map(caseOf('dev', 'reference')),
    ...refusals.unanswerable.map(caseOf('refusals', 'reference')),
    ...refusals.elsewhere.map(caseOf('elsewhere', 'handbook')),
    ...refusals.unanswerable.map(caseOf('foreign', 'company')),
    ...(['company', 'embedded', 'documents', 'handbook'] as const).flatMap((store) =>
      refusals.everyday.map(caseOf(`everyday, ${store}`, store)),
    ),
  ];
  for (const { name, language, answerable: yes, unanswerable: not } of refusals.documents)
    for (const store of ['documents', 'file'] as const) {
      const of = (question: string) => ({
        ...caseOf(store, store)({ question, language }),
        group: name,
        ...(store === 'file' ? { file: name } : {}),
      });
      for (const { question, expects } of yes)
        cases.push({ ...of(question), isAnswerable: true, quotes: [expects] });
      for (const question of not) cases.push(of(question));
    }
  const ofCompanies = (await readCompanyQuestions()).filter(({ set, before }) => set === 'dev' && !before);
  for (const store of ['company', 'embedded'] as const)
    for (const one of ofCompanies.filter((one) => !one.private)) {
      const asked = { ...caseOf(store, store)(one), group: organisationOf(one.document) ?? one.question };
      cases.push(one.document ? { ...asked, isAnswerable: true, quotes: one.quotes ?? [] } : asked);
    }
  for (const { file, ...one } of asFiles(ofCompanies)) {
    const asked = {
      ...caseOf('company file', 'company file')(one),
      group: organisationOf(file)!,
      file: `${one.language}/${file}`,
    };
    const isAnswerable = one.document === file;
    cases.push({ ...asked, isAnswerable, quotes: isAnswerable ? one.quotes! : [] });
  }
  for (const name of fixtures) {
    const url = new URL(`../../../../api/src/answers/fixtures/${name}.json`, import.meta.url);
    const set = JSON.parse(await readFile(url, 'utf8')) as {
      answerable: { question: string; language: Language; headings: string[] }[];
      unanswerable: string[];
    };
    for (const one of set.answerable)
      cases.push({ ...caseOf(name, 'handbook')(one), isAnswerable: true, headings: one.headings });
    for (const question of set.unanswerable)
      cases.push(
        caseOf(name, 'handbook')({ question, language: /\p{Script=Han}/u.test(question) ? 'zh' : 'en' }),
      );
  }
  return cases;
}

/** Names of documents begin with their organisation's. */
function organisationOf(document: string | null): string | null {
  return document?.split('-')[0] ?? null;
}

/**
 * Questions about companies as questions about one's own file: each with the document that answers it and with the organisation's next one, which does
 * not; those that nothing answers with the document of the question before them, which they were written for.
 */
function asFiles(questions: readonly CompanyQuestion[]): (CompanyQuestion & { file: string })[] {
  const documents = [...new Set(questions.flatMap(({ document }) => document ?? []))].sort();
  const nextOf = (document: string) => {
    const others = documents.filter((one) => organisationOf(one) === organisationOf(document));
    return others[(others.indexOf(document) + 1) % others.length]!;
  };
  let last: string | null = null;
  return questions.flatMap((one) => {
    if (one.document === null)
      return last !== null && one.kind === 'unanswerable-near' ? [{ ...one, file: last }] : [];
    last = one.document;
    const next = nextOf(last);
    return [{ ...one, file: last }, ...(next === last ? [] : [{ ...one, file: next }])];
  });
}
