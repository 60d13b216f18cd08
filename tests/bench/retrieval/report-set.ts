import type { Figure, PartResult } from '../figures.ts';
import { percentile } from '../statistics.ts';
import type { AskedSet } from './measure-set.ts';
import type { Answered } from './open-knowledge.ts';
import { type Interval, meanOf, rankingFigures, separation } from './ranking-figures.ts';
import { KINDS, type Unanswerable } from './read-questions.ts';

interface Other {
  name: string;
  /** In the order of the questions. */
  ranks: number[];
  scores: number[];
  noAnswerScores: number[];
}

interface Measured {
  name: string;
  corpus: string;
  /** Number of questions whose passage is not in this version of the corpus. */
  leftOut: number;
  desk: AskedSet;
  ranks: number[];
  others: Other[];
  /** Whether failed questions are listed. */
  listsMisses: boolean;
}

/** The results of one set of questions, as figures and as a table comparing the desk with the baselines. */
export function reportSet({ name, corpus, leftOut, desk, ranks, others, listsMisses }: Measured): PartResult {
  const { answerable, unanswerable, citations } = desk;
  const found = rankingFigures(ranks);
  const refused = meanOf(unanswerable.map(({ answered }) => (answered.source === 'none' ? 1 : 0)));
  const falselyRefused = meanOf(answerable.map(({ answered }) => (answered.source === 'none' ? 1 : 0)));
  const saysIt = meanOf(answerable.map((one) => (one.saysIt ? 1 : 0)));
  const times = (which: 'firstPiece' | 'whole') => answerable.map(({ answered }) => answered[which]);
  const figures: Figure[] = [
    { name: 'answering passage first', value: percent(found.first), unit: '%', atLeast: 65 },
    { name: 'answering passage among five', value: percent(found.five), unit: '%', atLeast: 85 },
    { name: 'mean reciprocal rank', value: found.reciprocal.value, unit: '' },
    { name: 'rightly refused', value: percent(refused), unit: '%', atLeast: 80 },
    { name: 'falsely refused', value: percent(falselyRefused), unit: '%', aim: 10 },
    { name: 'answers that say it', value: percent(saysIt), unit: '%' },
    {
      name: 'citations that stand in their document',
      value: citations.true / citations.count,
      unit: '',
      atLeast: 1,
    },
    { name: 'first piece, p50', value: percentile(times('firstPiece'), 0.5), unit: 'ms' },
    { name: 'first piece, p95', value: percentile(times('firstPiece'), 0.95), unit: 'ms' },
    { name: 'whole answer, p95', value: percentile(times('whole'), 0.95), unit: 'ms' },
  ];
  return {
    part: `retrieval, ${name}`,
    about: `${answerable.length} questions with an answer and ${unanswerable.length} without, one after the other, over ${corpus}`,
    figures,
    details: [
      ...(leftOut > 0 ? [`${leftOut} questions left out: no passage of this corpus holds their quote`] : []),
      `95 % of samples: first ${range(found.first)}, five ${range(found.five)}, refused ${range(refused)}, falsely ${range(falselyRefused)}, say it ${range(saysIt)}`,
      `${citations.count} citations; ${answerable.filter(({ answered }) => answered.source === 'curated').length} answers from curated pairs`,
      '',
      ...comparison(desk, ranks, others),
      '',
      ...byGroup(desk, ranks, others),
      ...(listsMisses ? ['', ...misses(desk, ranks)] : []),
    ],
  };
}

const percent = ({ value }: Interval): number => Math.round(value * 1000) / 10;
const range = ({ low, high }: Interval): string => `${Math.round(low * 100)}–${Math.round(high * 100)} %`;

/** One line per engine, with the ratio of the desk's figures to its own. */
function comparison(desk: AskedSet, ranks: readonly number[], others: readonly Other[]): string[] {
  const own = rankingFigures(ranks);
  const bestOf = ({ answered }: { answered: Answered }) => answered.ranked[0]?.score ?? 0;
  const ownSeparation = separation(desk.answerable.map(bestOf), desk.unanswerable.map(bestOf));
  const line = (name: string, figures: typeof own, apart: number) =>
    `| ${name} | ${[figures.first, figures.five].map((one) => `${percent(one).toFixed(1)} % (${range(one)})`).join(' | ')} | ${figures.reciprocal.value.toFixed(3)} | ${[own.first.value / figures.first.value, own.five.value / figures.five.value].map((ratio) => ratio.toFixed(2)).join(' | ')} | ${(apart * 100).toFixed(0)} % |`;
  return [
    '| | first | among five | MRR | desk ÷ it, first | five | best score tells |',
    '|---|---|---|---|---|---|---|',
    line('the desk', own, ownSeparation),
    ...others.map(({ name, ranks: theirs, scores, noAnswerScores }) =>
      line(name, rankingFigures(theirs), separation(scores, noAnswerScores)),
    ),
  ];
}

/** First / among five in percent by language and by kind. */
function byGroup(desk: AskedSet, ranks: readonly number[], others: readonly Other[]): string[] {
  const groups: [string, (question: Unanswerable & { document?: string }) => boolean][] = [
    ['zh', ({ language }) => language === 'zh'],
    ['en', ({ language }) => language === 'en'],
    ['handbook', ({ document = '' }) => document.startsWith('handbook/')],
    ...KINDS.map((kind): (typeof groups)[number] => [kind, (question) => question.kind === kind]),
  ];
  const rows = groups.map(([name, isOf]) => {
    const places = desk.answerable.flatMap(({ question }, at) => (isOf(question) ? [at] : []));
    const cell = (of: readonly number[]) => {
      const { first, five } = rankingFigures(places.map((at) => of[at]!));
      return `${Math.round(first.value * 100)} / ${Math.round(five.value * 100)}`;
    };
    const shareOf = (isRight: (at: number) => boolean) =>
      `${Math.round((100 * places.filter(isRight).length) / places.length)}`;
    const says = shareOf((at) => desk.answerable[at]!.saysIt);
    const refused = shareOf((at) => desk.answerable[at]!.answered.source === 'none');
    return `| ${name} (${places.length}) | ${cell(ranks)} | ${says} | ${refused} | ${others.map((other) => cell(other.ranks)).join(' | ')} |`;
  });
  return [
    `| first / among five, % | the desk | says it | refused | ${others.map(({ name }) => name).join(' | ')} |`,
    `|${'---|'.repeat(4 + others.length)}`,
    ...rows,
  ];
}

/** The failed questions, one per line. */
function misses({ answerable, unanswerable }: AskedSet, ranks: readonly number[]): string[] {
  const lines = answerable.flatMap(({ question, answered, saysIt }, at) => {
    const rank = ranks[at]!;
    if (rank === 1 && saysIt) return [];
    const verdict = answered.source === 'none' ? 'refused' : saysIt ? 'says it' : 'does not say it';
    return [
      `rank ${rank || '-'}, ${verdict} [${question.kind}] ${question.question} ← ${question.section}: ${question.quotes[0]}`,
    ];
  });
  const answeredAll = unanswerable.filter(({ answered }) => answered.source !== 'none');
  return [
    ...lines,
    ...answeredAll.map(({ question }) => `answered without an answer being there: ${question.question}`),
  ];
}
