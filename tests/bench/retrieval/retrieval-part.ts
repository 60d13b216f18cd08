import { temporaryDataDir } from '../../start-desk.ts';
import type { PartResult } from '../figures.ts';
import type { Engine, SearchedPassage } from './baselines/engine.ts';
import { createFts5 } from './baselines/fts5.ts';
import { createMiniSearch } from './baselines/mini-search.ts';
import { fetchDebianReference } from './corpus/debian-reference.ts';
import { readChapters } from './corpus/read-chapters.ts';
import { foldQuote, hasQuote } from './fold-quote.ts';
import { askDesk, rankOf } from './measure-set.ts';
import { openKnowledge } from './open-knowledge.ts';
import {
  type Answerable,
  type QuestionSet,
  readQuestions,
  type SetName,
  type Unanswerable,
} from './read-questions.ts';
import { reportSet } from './report-set.ts';

interface Options {
  sets: readonly SetName[];
  /** Whether failed questions of `dev` are listed; those of `test` never are. */
  listsMisses: boolean;
  log(line: string): void;
}

/** Measures retrieval, answers and refusals of the desk, and the ranking of baseline engines. */
export async function measureRetrieval({ sets, listsMisses, log }: Options): Promise<PartResult[]> {
  const { dataDir, remove } = await temporaryDataDir();
  const knowledge = await openKnowledge(dataDir);
  try {
    const reference = await fetchDebianReference(log);
    const chapters = reference ? await readChapters(reference) : [];
    const start = performance.now();
    for (const chapter of chapters) await knowledge.put(chapter);
    const seconds = (performance.now() - start) / 1000;
    await knowledge.embeddings.finish();
    const passages = await knowledge.passages();
    log(`${chapters.length} chapters indexed in ${seconds.toFixed(1)} s`);
    const corpus = `${passages.length} passages of the handbook${reference ? ` and Debian Reference ${reference.version}` : ''}`;
    const engines = [
      createMiniSearch(passages, 'as it comes'),
      createMiniSearch(passages, 'bigrams'),
      createFts5(passages, 'trigram'),
      createFts5(passages, 'bigrams'),
    ];
    const parts: PartResult[] = [];
    for (const name of sets) {
      const { answerable: all, unanswerable } = await readQuestions(name);
      const answering = answeringPassages(all, passages);
      const answerable = all.filter((question) => answering.get(question)!.size > 0);
      log(`asking ${answerable.length} + ${unanswerable.length} questions of ${name}`);
      const desk = await askDesk(knowledge, { answerable, unanswerable });
      const others = engines.map((engine) => askEngine(engine, answerable, unanswerable, answering));
      const ranks = desk.answerable.map(({ question, answered }) =>
        rankOf(answered.ranked, answering.get(question)!),
      );
      parts.push(
        reportSet({
          name,
          corpus,
          leftOut: all.length - answerable.length,
          desk,
          ranks,
          others,
          listsMisses: listsMisses && name === 'dev',
        }),
      );
    }
    for (const engine of engines) engine.close();
    return parts;
  } finally {
    await knowledge.close();
    await remove();
  }
}

type Answering = ReadonlyMap<Answerable, ReadonlySet<string>>;

/** The answering passages of each question. */
function answeringPassages(
  questions: readonly Answerable[],
  passages: readonly SearchedPassage[],
): Answering {
  const folded = passages.map(({ id, text }) => ({ id, text: foldQuote(text) }));
  return new Map(
    questions.map((question) => [
      question,
      new Set(folded.filter(({ text }) => hasQuote(text, question.quotes)).map(({ id }) => id)),
    ]),
  );
}

function askEngine(
  { name, search }: Engine,
  answerable: QuestionSet['answerable'],
  unanswerable: QuestionSet['unanswerable'],
  answering: Answering,
) {
  const find = ({ question, language, kind }: Unanswerable) =>
    search(question, kind === 'mixed' ? null : language);
  const found = answerable.map(find);
  return {
    name,
    ranks: found.map((hits, at) => rankOf(hits, answering.get(answerable[at]!)!)),
    scores: found.map((hits) => hits[0]?.score ?? 0),
    noAnswerScores: unanswerable.map((question) => find(question)[0]?.score ?? 0),
  };
}
