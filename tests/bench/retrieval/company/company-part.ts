import { stages } from '../../../../api/src/answers/retrieve/find-candidates.ts';
import { temporaryDataDir } from '../../../start-desk.ts';
import type { PartResult } from '../../figures.ts';
import { percentile } from '../../statistics.ts';
import { foreignDocuments } from '../generated-documents.ts';
import { readRefusals } from '../read-questions.ts';
import { type AskedCompany, askCompany } from './ask-company.ts';
import type { CompanyResult } from './company-result.ts';
import { lossTable } from './losses.ts';
import {
  type CompanyQuestion,
  type CompanySet,
  readCompanyDocuments,
  readCompanyQuestions,
  readEverydayWords,
} from './read-company.ts';

interface Options {
  set: CompanySet;
  /** Whether failed questions are listed; never those of the locked set. */
  listsMisses: boolean;
  /** Base URL of an embeddings endpoint. */
  embeddings?: string | undefined;
  /** Whether all questions are asked again without each stage of retrieval. */
  isAblated: boolean;
  /** Whether the documents are among 10,000 foreign passages. */
  isEmbedded: boolean;
  log(line: string): void;
}

/** Measures answers to questions of customers, employees and students about the documents of sixteen invented organisations. */
export async function measureCompany({
  set,
  listsMisses,
  isAblated,
  isEmbedded,
  embeddings,
  log,
}: Options): Promise<PartResult> {
  const { dataDir, remove } = await temporaryDataDir();
  try {
    const all = await readCompanyQuestions();
    const foreign = isEmbedded ? [...foreignDocuments(foreignPassages)] : [];
    const documents = [
      ...(await readCompanyDocuments(all)),
      ...foreign.map((one) => ({ ...one, isPrivate: false })),
    ];
    const questions = all.filter((one) => one.set === set);
    const words = set === 'dev' ? await readEverydayWords() : [];
    log(`asking ${questions.length} questions over ${documents.length} documents`);
    const { rounds, passages, indexSeconds, cpu } = await askCompany({
      dataDir,
      documents,
      questions: [...questions, ...(await readEverydayQuestions()), ...words],
      embeddings,
      without: isAblated ? stages : [],
    });
    const isOfWords = new Set(words);
    const isOther = ({ question }: CompanyResult) => question.kind === 'everyday' || isOfWords.has(question);
    const results = rounds[0]!.results.filter((one) => !isOther(one));
    const ofEveryday = rounds[0]!.results.filter(({ question }) => question.kind === 'everyday');
    const ofWords = rounds[0]!.results.filter(({ question }) => isOfWords.has(question));
    const everyday = {
      answered: share(ofEveryday, ({ outcome }) => outcome === 'answered'),
      related: share(ofEveryday, ({ outcome }) => outcome === 'related'),
    };
    const byKind = (some: readonly CompanyResult[]) =>
      [...Map.groupBy(some, ({ question }) => question.kind)].sort(([one], [other]) =>
        one < other ? -1 : 1,
      );
    const rows: [string, CompanyResult[]][] = [
      ['all', results],
      ...(['zh', 'en'] as const).map((language): [string, CompanyResult[]] => [
        language,
        results.filter(({ question }) => question.language === language),
      ]),
      ...byKind(results),
      ...(ofWords.length > 0 ? [['in everyday words', ofWords] as [string, CompanyResult[]]] : []),
      ...byKind(ofWords),
    ];
    const whole = sharesOf(results);
    return {
      part: `company, ${set}${isEmbedded ? ', among foreign passages' : ''}${embeddings ? ', with embeddings' : ''}`,
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
        { name: 'answered, of those that nothing answers', value: whole.wrongly, unit: '%', aim: 10 },
        {
          name: 'answered, or related with the fact, of the others',
          value: whole.helped,
          unit: '%',
          atLeast: 85,
        },
        { name: 'nothing, of the others', value: whole.nothing, unit: '%', aim: 5 },
        { name: 'everyday questions that are answered', value: everyday.answered, unit: '%', aim: 10 },
        { name: 'everyday questions with related passages', value: everyday.related, unit: '%' },
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
        ...lossTable(results),
        'questions · first / among five · fact · helped · nothing · answered though nothing answers, %',
        ...rows.map(([name, some]) => rowOf(name, some)),
        ...(listsMisses && set === 'dev' ? results.filter(isMissed).map(describe) : []),
      ],
    };
  } finally {
    await remove();
  }
}

const foreignPassages = 10_000;

/** Questions that people ask anybody, and no document answers. */
async function readEverydayQuestions(): Promise<CompanyQuestion[]> {
  const { everyday } = await readRefusals();
  return everyday.map(({ language, question }, at) => ({
    id: `everyday-${at}`,
    language,
    kind: 'everyday',
    set: 'dev',
    question,
    document: null,
  }));
}

/** The figures without each stage, by language. */
function ablationTable(rounds: AskedCompany['rounds']): string[] {
  const ofLanguage = (results: readonly CompanyResult[], language: string) =>
    results.filter(({ question }) => question.language === language);
  return [
    'without · zh, en: first / among five · fact · helped · nothing · answered though nothing answers, %',
    ...rounds.flatMap(({ without, results }) =>
      ['zh', 'en'].map((language) =>
        rowOf(`${without ?? 'nothing'}, ${language}`, ofLanguage(results, language)),
      ),
    ),
    '',
  ];
}

function isMissed({ question, rank, outcome }: CompanyResult): boolean {
  return question.document === null ? outcome === 'answered' : rank !== 1 || outcome !== 'answered';
}

function describe({ question, rank, outcome, ranked }: CompanyResult): string {
  const before = question.before ? `${question.before.join(' › ')} › ` : '';
  const first = ranked[0] ? `${ranked[0].title} › ${ranked[0].place}` : 'nothing';
  return `${question.kind} · ${before}${question.question} · rank ${rank}, ${outcome} · first: ${first}`;
}

function sharesOf(some: readonly CompanyResult[]) {
  const answerable = some.filter(({ question }) => question.document !== null);
  const unanswerable = some.filter(({ question }) => question.document === null);
  return {
    first: share(answerable, ({ rank }) => rank === 1),
    eight: share(answerable, ({ rank }) => rank > 0 && rank <= 8),
    five: share(answerable, ({ rank }) => rank > 0 && rank <= 5),
    fact: share(answerable, ({ hasFact }) => hasFact),
    helped: share(
      answerable,
      ({ outcome, hasFact }) => outcome === 'answered' || (outcome === 'related' && hasFact),
    ),
    nothing: share(answerable, ({ outcome }) => outcome === 'nothing'),
    wrongly: share(unanswerable, ({ outcome }) => outcome === 'answered'),
  };
}

function rowOf(name: string, some: readonly CompanyResult[]): string {
  const { first, five, fact, helped, nothing, wrongly } = sharesOf(some);
  const shown = (value: number) => (Number.isNaN(value) ? '–' : value.toFixed(1));
  return `${name} (${some.length}) · ${shown(first)} / ${shown(five)} · ${shown(fact)} · ${shown(helped)} · ${shown(nothing)} · ${shown(wrongly)}`;
}

/** In %; NaN for no results. */
function share(some: readonly CompanyResult[], is: (one: CompanyResult) => boolean): number {
  return (100 * some.filter(is).length) / some.length;
}
