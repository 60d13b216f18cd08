import { readFile } from 'node:fs/promises';
import type { Language } from '../../../../api/src/contract/language.ts';
import { readCompanyQuestions } from '../company/read-company.ts';
import { readQuestions, readRefusals } from '../read-questions.ts';

/** What a question is put to: handbook and Debian Reference, handbook and small documents, one of these alone, or the handbook alone. */
export type Store = 'reference' | 'documents' | 'file' | 'handbook' | 'company';

export interface Case {
  /** Cases of one group are never on both sides of a cross-validation. */
  group: string;
  set: string;
  store: Store;
  kind: string;
  text: string;
  language: Language;
  isAnswerable: boolean;
  quotes: readonly string[];
  /** Of the sections that answer; where it is told by these and not by quotes. */
  headings?: readonly string[];
  /** Name of the small document that it is asked of. */
  file?: string;
}

const fixtures = ['handbook-questions', 'more-questions', 'fresh-questions', 'records-questions'];

/** Names of documents begin with their organisation's. */
function organisationOf(document: string | null): string | null {
  return document?.split('-')[0] ?? null;
}

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
  ];
  for (const { name, language, answerable: yes, unanswerable: not } of refusals.documents)
    for (const store of ['documents', 'file'] as const) {
      const of = (question: string) => ({
        ...caseOf(store, store)({ question, language }),
        group: name,
        file: name,
      });
      for (const { question, expects } of yes)
        cases.push({ ...of(question), isAnswerable: true, quotes: [expects] });
      for (const question of not) cases.push(of(question));
    }
  for (const one of await readCompanyQuestions()) {
    if (one.set !== 'dev' || one.before || one.private) continue;
    const asked = {
      ...caseOf('company', 'company')(one),
      group: organisationOf(one.document) ?? one.question,
    };
    cases.push(one.document ? { ...asked, isAnswerable: true, quotes: one.quotes ?? [] } : asked);
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
