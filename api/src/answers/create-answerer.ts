import type { AnswerReason, Citation, Judgement } from '../contract/answers.ts';
import { maxTimeMS } from '../store/query-limit.ts';
import { createTurnQueue } from '../store/turn-queue.ts';
import { inSpan } from '../tracing/span.ts';
import { reasonOf, withCited } from './answer-reason.ts';
import type { Answerer, AnswerPiece, Pieces, Question } from './answerer.ts';
import { type DeskChoices, productChoices } from './desk-choices.ts';
import type { OpenEmbeddings } from './embeddings/open-embeddings.ts';
import {
  answerByExtraction,
  answerParts,
  type FoundPart,
  nothingFound,
  relatedTo,
  say,
} from './extract/answer-by-extraction.ts';
import {
  askedOfFiles,
  documentIdsOf,
  notInFiles,
  readDocuments,
  summariseNamed,
  summaryOfEarlier,
  unreadFiles,
} from './extract/answer-from-files.ts';
import { summarise } from './extract/summarise.ts';
import type { IndexedHandbook } from './handbook/index-handbook.ts';
import { draftOwner } from './index/document.ts';
import { hrefOf, type KnowledgePassage } from './index/passage.ts';
import type { KnowledgeModels } from './knowledge-models.ts';
import type { ModelDesk } from './model/model-desk.ts';
import type { ModelQuestion } from './model/model-question.ts';
import type { KnowledgeOverlay } from './pairs/match-pair.ts';
import { matchPair } from './pairs/match-pair.ts';
import type { UseCounts } from './pairs/use-counts.ts';
import { analyseQuestion } from './retrieve/analyse-question.ts';
import { unsupportedParts, wordsSaid } from './retrieve/answerability.ts';
import type { KnowledgeScope, Stage } from './retrieve/find-candidates.ts';
import {
  followUpOf,
  fuse,
  isOfConversation,
  mayLackSubject,
  needsContext,
  saysAsMuch,
} from './retrieve/follow-up.ts';
import { translationsOf } from './retrieve/other-language.ts';
import { partsOfQuestion } from './retrieve/question-parts.ts';
import type { Reranker } from './retrieve/reranker.ts';
import { collectionsOf, maxPassages, type Retrieval, retrieve } from './retrieve/retrieve.ts';
import { eitherOf, type Synonyms } from './retrieve/synonyms.ts';

interface AnswererDeps {
  models: KnowledgeModels;
  handbook: Pick<IndexedHandbook, 'edition' | 'operations'>;
  /** Without it, answers are extracted. */
  byModel?: Pick<ModelDesk, 'takes' | 'answer'> | undefined;
  /** Without it, uses are not counted. */
  uses?: UseCounts;
  /** Without them, passages are found only by words. */
  embeddings?: Pick<OpenEmbeddings, 'ask'>;
  /** Without it, the desk itself judges which passages answer. */
  reranker?: Reranker | undefined;
  /** A change of the knowledge base to try out. */
  overlay?: KnowledgeOverlay;
  choices?: DeskChoices;
  /** Stages of retrieval to leave out. */
  without?: ReadonlySet<Stage>;
}

/** Log odds by which other documents must be more likely to answer than the files of the conversation. */
const fileLead = 1;
/**
 * Maximum number of concurrent retrievals, each of which sends dozens of queries. A hundred at once would all
 * finish with the last one, and exceed the timeout for a connection to the store.
 */
const maxConcurrent = 8;

/** An answer without a model. */
interface Plain {
  text: string;
  source: 'document' | 'none';
  citations: Citation[];
  outcome?: Judgement['outcome'];
}

/** Whether a passage of another language contains enough of a question's words to answer it. */
const saysMost = (said: number, words: number) => said > 2 && said >= 0.75 * words;

/** The passages that are cited. */
function citedOf(passages: readonly KnowledgePassage[], citations: readonly Citation[]): KnowledgePassage[] {
  const cited = new Set(citations.map(({ href }) => href));
  return passages.filter(({ _id }) => cited.has(hrefOf(_id)));
}

/** Yields the collections that an answer is based on, or that its asker may read, if there are any. */
function* stamp(
  ids: readonly string[],
  kind: 'collections' | 'audience' = 'collections',
): Generator<AnswerPiece, void, undefined> {
  if (ids.length > 0) yield { kind, ids: [...new Set(ids)] };
}

/** The retrieval for a question. */
interface Found {
  retrieval: Retrieval;
  /** The question with the earlier ones that it depends on; null for a complete question. */
  rewritten: string | null;
  /** The parts of a question that asks for several things, if they are answered separately. */
  parts?: FoundPart[];
}

interface SearchOptions {
  /** Search only these documents of the owner. */
  documentIds?: readonly string[] | undefined;
  withoutHandbook?: boolean;
  /** Search passages of the other language by these translations. */
  translations?: Synonyms;
}

const isAnswered = ({ retrieval }: Pick<Found, 'retrieval'>) => retrieval.outcome === 'answered';

/** The parts of a question that the cited passages do not support, and the rewritten question. */
function judgementFor(
  { retrieval, rewritten, parts: asked = [] }: Found,
  citations: readonly Citation[],
  question: Question,
): Partial<Judgement> {
  const quoted = citedOf(retrieval.forModel, citations);
  const answered = asked.length > 0 ? asked.filter(isAnswered).map((one) => one.retrieval) : [retrieval];
  const parts = quoted.length > 0 ? answered.flatMap((one) => unsupportedParts(quoted, one)) : [];
  const open = asked.filter((one) => !isAnswered(one)).map(({ part }) => part);
  const words = parts.filter(
    (part) => question.text.includes(part) && !open.some((one) => one.includes(part)),
  );
  const unsupported = [...open, ...words];
  return {
    ...(unsupported.length > 0 ? { unsupported } : {}),
    ...(rewritten === null ? {} : { understoodAs: rewritten }),
  };
}

/**
 * Answers with a matching curated pair, else from passages, extracted or by the chosen model. If no passage
 * supports an answer it says so and suggests similar questions. A question with files is answered only from
 * them.
 */
export function createAnswerer(deps: AnswererDeps): Answerer {
  const { models, handbook, byModel, uses, embeddings, reranker, without } = deps;
  const { overlay = {}, choices = productChoices } = deps;
  const synonyms = () => overlay.synonyms ?? choices.synonyms();
  let { edition } = handbook;
  const turns = createTurnQueue({ max: maxConcurrent });

  /** Runs `work` when fewer than `maxConcurrent` are running; null if `signal` aborts before. */
  async function inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | null> {
    try {
      return await turns.run(signal, work);
    } catch (cause) {
      if (signal.aborted && cause === signal.reason) return null;
      throw cause;
    }
  }

  async function find(
    question: Question,
    text: string,
    { documentIds, withoutHandbook = false, translations }: SearchOptions = {},
  ): Promise<Retrieval> {
    const { language, hasPassages = true } = question;
    const asker = hasPassages ? question.owner : '';
    const usesHandbook = edition !== '' && choices.usesHandbook() && !translations && !withoutHandbook;
    const scope = (): KnowledgeScope => ({
      owner: overlay.draft === undefined ? asker : draftOwner(overlay.draft),
      readable: question.readable ?? [],
      edition: usesHandbook ? edition : '',
      operations: {
        titles: handbook.operations,
        areForAsker: () => choices.operates(question.owner),
      },
      documentIds,
      withoutDocument: overlay.withoutDocument,
      synonyms: translations ? eitherOf(synonyms(), translations) : synonyms(),
      without,
    });
    const meaning = embeddings?.ask(text);
    const search = () =>
      inSpan('retrieve', {}, async (span) => {
        const found = await retrieve(models, text, language, scope(), meaning, reranker);
        const { candidates, total, verdict } = found.explanation;
        span.setAttributes({
          'desk.candidates': candidates,
          'desk.passages': total,
          'desk.verdict': verdict,
        });
        return found;
      });
    const retrieval = await search();
    if (retrieval.explanation.total > 0 || !usesHandbook) return retrieval;
    const now = await models.documents
      .findOne({ source: 'handbook', status: 'ready' }, { edition: 1 })
      .lean();
    if (!now || now.edition === edition) return retrieval;
    // A newer process has indexed its edition of the handbook, which replaces this one.
    edition = now.edition;
    return search();
  }

  /**
   * Looks up a question in all documents and in the earlier files of its conversation. The files win if they
   * answer, unless other documents are clearly more likely to, or answer the question alone while the files
   * only do so in its context and say less of it.
   */
  async function findAnywhere(question: Question, withoutHandbook = false): Promise<Found> {
    const found = await findInConversation(question, { withoutHandbook });
    const { earlierDocumentIds = [] } = question;
    if (earlierDocumentIds.length === 0) return found;
    const own = await findInConversation(question, { documentIds: earlierDocumentIds });
    const [first] = found.retrieval.passages;
    // The handbook is about the desk, not about what people send, unless the question is one of its headings.
    const isOfHandbook = first !== undefined && first.edition !== '' && !found.retrieval.isHeading;
    const isCompleteElsewhere =
      !isOfHandbook &&
      own.rewritten !== null &&
      found.rewritten === null &&
      isAnswered(found) &&
      !saysAsMuch(own.retrieval, found.retrieval);
    const isOwn =
      isAnswered(own) &&
      (isOfHandbook || own.retrieval.margin + fileLead >= found.retrieval.margin) &&
      !isCompleteElsewhere;
    const [better, other] = isOwn ? [own, found] : [found, own];
    return { ...better, retrieval: fuse(better.retrieval, other.retrieval) };
  }

  /**
   * Looks up a short question alone and in its context. One of the two is the answer; a model gets the
   * passages of both. An answer to the question alone does not depend on earlier questions.
   */
  async function findInConversation(question: Question, options: SearchOptions): Promise<Found> {
    const lookUp = (text: string) => find(question, text, options);
    const followUp = followUpOf(question.text, question.language, question.history);
    if (followUp === null) return { retrieval: await lookUp(question.text), rewritten: null };
    const [first, inContext] = await Promise.all([lookUp(question.text), lookUp(followUp.inContext)]);
    const alone = isOfConversation(first, inContext)
      ? await find(question, question.text, { ...options, withoutHandbook: true })
      : first;
    return (await needsContext(alone, inContext, () => lookUp(followUp.before)))
      ? { retrieval: fuse(inContext, alone, true), rewritten: followUp.inContext }
      : { retrieval: fuse(alone, inContext, mayLackSubject(alone)), rewritten: null };
  }

  /**
   * Looks up each part of a question that asks for several things, in the context of the parts before it.
   * null if the first part, on which the others may depend, is not answered, or if the whole question is and
   * two parts have the same best passage. Short questions are not split, as they depend on their
   * conversation.
   */
  async function findParts(
    question: Question,
    whole: Retrieval,
  ): Promise<Pick<Found, 'retrieval' | 'parts'> | null> {
    const texts = partsOfQuestion(question.text);
    if (texts.length < 2 || followUpOf(question.text, question.language, question.history)) return null;
    const lookUp = async (text: string, at: number, withoutHandbook: boolean): Promise<FoundPart> => {
      const history = texts.slice(0, at).map((earlier) => ({ question: earlier, answer: '' }));
      const { retrieval } = await findAnywhere({ ...question, text, history }, withoutHandbook);
      return { part: text, retrieval };
    };
    const first = await lookUp(texts[0]!, 0, false);
    if (!isAnswered(first)) return null;
    const isOfDocuments = first.retrieval.passages[0]!.edition === '';
    const others = await Promise.all(texts.slice(1).map((text, at) => lookUp(text, at + 1, isOfDocuments)));
    const parts = [first, ...others];
    const passages = new Set(parts.map((one) => one.retrieval.passages[0]?._id));
    const isEachOnItsOwn = parts.every(isAnswered) && passages.size === parts.length;
    if (whole.outcome === 'answered' && !isEachOnItsOwn) return null;
    const byOutcome = [...others.filter(isAnswered), ...others.filter((one) => !isAnswered(one))];
    const retrieval = byOutcome.reduce((fused, other) => fuse(fused, other.retrieval), first.retrieval);
    return { retrieval, parts };
  }

  /**
   * Looks up a question that is not answered in its own language in the other one, too, by its names,
   * identifiers, numbers and the translations of its words. The other language answers if it contains most of
   * the words, or alone the names; it is related if the desk has no passages in the language of the question.
   */
  async function findInEither(question: Question): Promise<Found> {
    const found = await findAnywhere(question);
    const own = found.retrieval;
    const inParts = await findParts(question, own);
    if (inParts) return { ...found, ...inParts };
    if (own.outcome === 'answered') return found;
    const language = question.language === 'zh' ? 'en' : 'zh';
    const isOnly = own.passages.every((passage) => passage.language === language);
    const lacksName = own.evidence?.lacksName !== 0;
    const { synonyms, sayable, words } = translationsOf(question.text);
    if (!saysMost(sayable, words) && !isOnly && !lacksName) return found;
    const other = await find({ ...question, language }, question.text, { translations: synonyms });
    const [best] = other.passages;
    if (best?.language !== language || other.outcome === 'nothing') return found;
    const { said } = wordsSaid(best, other);
    const isAnswer =
      (other.outcome === 'answered' && saysMost(said, words)) ||
      (lacksName && other.evidence?.lacksName === 0);
    if (!isAnswer && !(isOnly && said > 1)) return found;
    return { retrieval: fuse(isAnswer ? other : { ...other, outcome: 'related' }, own), rewritten: null };
  }

  /** Whether an owner has private passages. Most have none, which saves hundreds of look-ups for them. */
  const ownsPassages = async (owner: string): Promise<boolean> =>
    (await models.findable.collection.findOne({ owner }, { projection: { _id: 1 }, maxTimeMS })) !== null;

  const pairFor = (question: Question, text: string) =>
    matchPair(
      models,
      text,
      analyseQuestion(text, question.language, synonyms()),
      overlay,
      question.readable,
      choices.usesHandbook(),
    );

  async function* answer(question: Question, signal: AbortSignal): Pieces {
    // The answer is in the language of the question, not of the page or the conversation.
    const { language } = analyseQuestion(question.text, question.language);
    const [readable, hasPassages] = await Promise.all([
      question.readable ?? choices.readableBy(question.owner),
      ownsPassages(question.owner),
    ]);
    yield* stamp(collectionsOf(readable.map((owner) => ({ owner }))), 'audience');
    const asked = { ...question, readable, hasPassages, ...(question.isSummary ? {} : { language }) };
    const ofFiles = question.files?.length ? asked : summaryOfEarlier(asked);
    yield* ofFiles ? answerFromFiles(ofFiles, signal) : answerFromAll(asked, signal);
  }

  async function* answerFromAll(question: Question, signal: AbortSignal): Pieces {
    // A question that matches a curated pair does not depend on earlier ones.
    const own = await pairFor(question, question.text);
    if (signal.aborted) return;
    const found = own ? null : await inTurn(() => findInEither(question), signal);
    if (signal.aborted) return;
    const rewritten = found?.rewritten ?? null;
    const match = own ?? (rewritten === null ? null : await pairFor(question, rewritten));
    if (signal.aborted) return;
    if (match) {
      uses?.note({ pairs: [match.pair._id] });
      yield* stamp(collectionsOf([{ owner: match.pair.source }]));
      yield* say(match.pair.answer, signal);
      const why = reasonOf(null, match, rewritten, question.history);
      const understood = rewritten === null ? {} : { understoodAs: rewritten };
      if (!signal.aborted)
        yield { kind: 'final', source: 'curated', citations: [], suggestions: [], why, ...understood };
      return;
    }
    if (!found) return;
    const { retrieval, parts } = found;
    const { forModel: passages, nearest } = retrieval;
    const { language } = question;
    const why = reasonOf(retrieval.explanation, null, rewritten, question.history);
    const suggestions = isAnswered(found) ? [] : nearest;
    const nothing = choices.nothingFound(language, nothingFound(language));
    // A model also gets passages that do not answer by the desk's judgement, as it judges by itself.
    const forModel = { passages, suggestions, suggestionsIfRefused: nearest, nothingFound: nothing, why };
    const given = [...collectionsOf(passages), ...retrieval.nearestOf];
    if (yield* asModel(question, forModel, found, signal, given)) return;
    if (signal.aborted) return;
    const summary = await summariseNamed(models, question, passages);
    if (summary) {
      yield* stamp(collectionsOf(passages));
      yield* sayPlainly({ ...summary, source: 'document' }, passages, [], why, {}, signal);
      return;
    }
    const extract = () =>
      parts ? answerParts(parts.filter(isAnswered)) : answerByExtraction(retrieval, language);
    const plain: Plain = isAnswered(found)
      ? { ...extract(), source: 'document' }
      : (relatedTo(retrieval, language) ?? { text: nothing, citations: [], source: 'none' });
    const quoted = collectionsOf(citedOf(passages, plain.citations));
    yield* stamp([...quoted, ...(suggestions.length > 0 ? retrieval.nearestOf : [])]);
    const judged = judgementFor(found, plain.citations, question);
    yield* sayPlainly(plain, passages, suggestions, why, judged, signal);
  }

  /** Answers only from the files of the question. */
  async function* answerFromFiles(question: Question, signal: AbortSignal): Pieces {
    const { files = [], language } = question;
    const documentIds = documentIdsOf(files);
    const asked = question.isSummary ? 'summary' : askedOfFiles(question);
    const found =
      asked === 'summary' ? null : await inTurn(() => findInConversation(question, { documentIds }), signal);
    if (signal.aborted) return;
    const searched = found && (asked === 'something' || isAnswered(found)) ? found : null;
    const retrieval = searched?.retrieval ?? null;
    const why = reasonOf(retrieval?.explanation ?? null, null, found?.rewritten ?? null, question.history);
    const documents = retrieval ? [] : await readDocuments(models, question.owner, documentIds);
    const passages =
      retrieval?.forModel ?? documents.flatMap((document) => document.passages).slice(0, maxPassages);
    const forModel = { passages, why, suggestions: [], suggestionsIfRefused: [] };
    if (yield* asModel(question, forModel, searched, signal)) return;
    if (signal.aborted) return;
    const plain = fromFiles();
    const judged = searched ? judgementFor(searched, plain.citations, question) : {};
    yield* sayPlainly(plain, passages, [], why, judged, signal);

    function fromFiles(): Plain {
      const unread = unreadFiles(files, language);
      const withUnread = (text: string) => [text, unread].filter(Boolean).join('\n\n');
      if (documentIds.length === 0) return { text: unread, citations: [], source: 'none' };
      if (retrieval === null) {
        const { text, citations } = summarise(documents, language);
        return { text: withUnread(text), citations, source: 'document' };
      }
      if (retrieval.outcome === 'answered')
        return { ...answerByExtraction(retrieval, language), source: 'document' };
      const related = relatedTo(retrieval, language);
      const text = withUnread(related?.text ?? notInFiles(files, language));
      return { citations: [], source: 'none', ...related, text };
    }
  }

  /** Answers by the chosen model. false if none is chosen, or it failed before its first token. */
  async function* asModel(
    question: Question,
    asked: Omit<ModelQuestion, 'question'>,
    found: Found | null,
    signal: AbortSignal,
    collections: readonly string[] = [],
  ): Pieces<boolean> {
    if (!byModel?.takes(question)) return false;
    yield* stamp(collections);
    const judge = (citations: readonly Citation[]) => {
      const documents = citedOf(asked.passages, citations).map(({ documentId }) => documentId);
      uses?.note({ documents });
      return {
        ...(asked.why ? { why: withCited(asked.why, citations) } : {}),
        ...(found ? judgementFor(found, citations, question) : {}),
      };
    };
    return yield* byModel.answer({ question, ...asked, judge }, signal);
  }

  function* sayPlainly(
    { text, source, citations, outcome }: Plain,
    passages: readonly KnowledgePassage[],
    suggestions: string[],
    why: AnswerReason,
    judged: Partial<Judgement>,
    signal: AbortSignal,
  ): Generator<AnswerPiece, void, undefined> {
    uses?.note({ documents: citedOf(passages, citations).map(({ documentId }) => documentId) });
    yield* say(text, signal, citations);
    if (!signal.aborted)
      yield {
        kind: 'final',
        source,
        citations,
        suggestions,
        why: withCited(why, citations),
        ...judged,
        ...(outcome ? { outcome } : {}),
      };
  }

  return { answer };
}
