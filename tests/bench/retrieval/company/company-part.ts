import { stages } from '../../../../api/src/answers/find-candidates.ts';
import { temporaryDataDir } from '../../../start-desk.ts';
import type { PartResult } from '../../figures.ts';
import { percentile } from '../../statistics.ts';
import { type AskedCompany, askCompany, type CompanyResult } from './ask-company.ts';
import { type CompanySet, readCompanyDocuments, readCompanyQuestions } from './read-company.ts';

interface Options {
  set: CompanySet;
  /** Whether failed questions are listed; never those of the locked set. */
  listsMisses: boolean;
  /** Base URL of an embeddings endpoint. */
  embeddings?: string | undefined;
  /** Whether all questions are asked again without each stage of retrieval. */
  isAblated: boolean;
  log(line: string): void;
}

/** Measures answers to questions of customers, employees and students about the documents of sixteen invented organisations. */
export async function measureCompany({
  set,
  listsMisses,
  isAblated,
  embeddings,
  log,
}: Options): Promise<PartResult> {
  const { dataDir, remove } = await temporaryDataDir();
  try {
    const all = await readCompanyQuestions();
    const documents = await readCompanyDocuments(all);
    const questions = all.filter((one) => one.set === set);
    log(`asking ${questions.length} questions over ${documents.length} documents`);
    const { rounds, passages, indexSeconds, cpu } = await askCompany({
      dataDir,
      documents,
      questions,
      embeddings,
      without: isAblated ? stages : [],
    });
    const { results } = rounds[0]!;
    const kinds = [...new Set(questions.map(({ kind }) => kind))].sort();
    const rows: [string, CompanyResult[]][] = [
      ['all', results],
      ...(['zh', 'en'] as const).map((language): [string, CompanyResult[]] => [
        language,
        results.filter(({ question }) => question.language === language),
      ]),
      ...kinds.map((kind): [string, CompanyResult[]] => [
        kind,
        results.filter(({ question }) => question.kind === kind),
      ]),
    ];
    const whole = sharesOf(results);
    return {
      part: `company, ${set}${embeddings ? ', with embeddings' : ''}`,
      about: `${questions.length} questions over ${passages} passages of ${documents.length} documents, indexed in ${indexSeconds.toFixed(1)} s`,
      figures: [
        { name: 'answering passage first', value: whole.first, unit: '%', atLeast: embeddings ? 66 : 62 },
        {
          name: 'answering passage among five',
          value: whole.five,
          unit: '%',
          atLeast: embeddings ? 90 : 86,
        },
        { name: 'answering passage among the eight for a model', value: whole.eight, unit: '%', atLeast: 85 },
        { name: 'answers that hold the fact', value: whole.fact, unit: '%', atLeast: 60 },
        { name: 'rightly refused', value: whole.rightly, unit: '%', atLeast: 80 },
        { name: 'falsely refused', value: whole.falsely, unit: '%', aim: 10 },
        {
          name: 'answers whose citations stand in their document',
          value: share(results, ({ isTrue }) => isTrue),
          unit: '%',
          atLeast: 100,
        },
        {
          name: 'first piece, p50',
          value: percentile(
            results.map(({ firstMs }) => firstMs),
            0.5,
          ),
          unit: 'ms',
        },
        { name: 'CPU a question, earlier ones of its conversation included', value: cpu, unit: 'ms' },
      ],
      details: [
        ...(isAblated ? ablationTable(rounds) : []),
        'questions · first / among five · fact · falsely refused · rightly refused, %',
        ...rows.map(([name, some]) => rowOf(name, some)),
        ...(listsMisses && set === 'dev' ? results.filter(isMissed).map(describe) : []),
      ],
    };
  } finally {
    await remove();
  }
}

/** The figures without each stage, by language. */
function ablationTable(rounds: AskedCompany['rounds']): string[] {
  const ofLanguage = (results: readonly CompanyResult[], language: string) =>
    results.filter(({ question }) => question.language === language);
  return [
    'without · zh, en: first / among five · fact · falsely refused · rightly refused, %',
    ...rounds.flatMap(({ without, results }) =>
      ['zh', 'en'].map((language) =>
        rowOf(`${without ?? 'nothing'}, ${language}`, ofLanguage(results, language)),
      ),
    ),
    '',
  ];
}

function isMissed({ question, rank, source }: CompanyResult): boolean {
  return question.document === null ? source !== 'none' : rank !== 1 || source === 'none';
}

function describe({ question, rank, source, ranked }: CompanyResult): string {
  const before = question.before ? `${question.before.join(' › ')} › ` : '';
  const first = ranked[0] ? `${ranked[0].title} › ${ranked[0].place}` : 'nothing';
  return `${question.kind} · ${before}${question.question} · rank ${rank}, ${source} · first: ${first}`;
}

function sharesOf(some: readonly CompanyResult[]) {
  const answerable = some.filter(({ question }) => question.document !== null);
  const unanswerable = some.filter(({ question }) => question.document === null);
  return {
    first: share(answerable, ({ rank }) => rank === 1),
    eight: share(answerable, ({ rank }) => rank > 0 && rank <= 8),
    five: share(answerable, ({ rank }) => rank > 0 && rank <= 5),
    fact: share(answerable, ({ hasFact }) => hasFact),
    falsely: share(answerable, ({ source }) => source === 'none'),
    rightly: share(unanswerable, ({ source }) => source === 'none'),
  };
}

function rowOf(name: string, some: readonly CompanyResult[]): string {
  const { first, five, fact, falsely, rightly } = sharesOf(some);
  const shown = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(1));
  return `${name} (${some.length}) · ${shown(first)} / ${shown(five)} · ${shown(fact)} · ${shown(falsely)} · ${shown(rightly)}`;
}

/** In %; NaN for no results. */
function share(some: readonly CompanyResult[], is: (one: CompanyResult) => boolean): number {
  return (100 * some.filter(is).length) / some.length;
}
