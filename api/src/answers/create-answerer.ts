import type { AnswerReason, Citation, Judgement } from '../contract/answers.ts';
import type { Language } from '../contract/language.ts';
import { maxTimeMS } from '../store/query-limit.ts';
import { createTurnQueue } from '../store/turn-queue.ts';
import { inSpan } from '../tracing/span.ts';
import { reasonOf, withCited } from './answer-reason.ts';
import type { Answerer, AnswerPiece, Question } from './answerer.ts';
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
  readFileDocuments,
  summariseFiles,
  summariseNamed,
  summaryOfEarlier,
  unreadFiles,
} from './extract/answer-from-files.ts';
import type { IndexedHandbook } from './handbook/index-handbook.ts';
import { draftOwner } from './index/document.ts';
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
import type { PassageText } from './retrieve/places.ts';
import { partsOfQuestion } from './retrieve/question-parts.ts';
import type { Reranker } from './retrieve/reranker.ts';
import { collectionsOf, type Retrieval, retrieve } from './retrieve/retrieve.ts';
import { eitherOf, type Synonyms } from './retrieve/synonyms.ts';

export interface AnswererDeps {
  models: KnowledgeModels;
  handbook: Pick<IndexedHandbook, 'edition' | 'operations'>;
  /** Without it, answers are extracted. */
  byModel?: Pick<ModelDesk, 'takes' | 'answer'>;
  /** Without it, uses are not counted. */
  uses?: UseCounts;
  /** Without them, passages are found only by words. */
  embeddings?: Pick<OpenEmbeddings, 'ask'>;
  /** Without it, the desk judges by itself which passages answer. */
  reranker?: Reranker;
  /** A change of the knowledge base to try out. */
  overlay?: KnowledgeOverlay;
  /** Default: those of the product. */
  choices?: DeskChoices;
  /** Stages of retrieval to leave out. */
  without?: ReadonlySet<Stage>;
}

/** Maximum number of passages for a model. */
const maxPassages = 8;
/** Log odds by which other documents must be more likely to answer than the files of the conversation. */
const fileLead = 1;
/**
 * Maximum number of concurrent retrievals, each of which sends dozens of queries. A hundred at once would all finish with the last one, and exceed the
 * timeout for a connection to the store.
 */
const maxConcurrent = 8;

/** An answer without a model. */
interface Plain {
  text: string;
  source: 'document' | 'none';
  citations: Citation[];
  outcome?: Judgement['outcome'];
}

/** Whether a passage of another language says enough of a question's words to answer it. */
const saysMost = (said: number, words: number) => said > 2 && said >= 0.75 * words;

const hrefOf = (passageId: string) => `/api/passages/${encodeURIComponent(passageId)}`;

/** Says which collections an answer rests on, or its asker may read, if any. */
function* stamp(
  ids: readonly string[],
  kind: 'collections' | 'audience' = 'collections',
): Generator<AnswerPiece, void, undefined> {
  if (ids.length > 0) yield { kind, ids: [...new Set(ids)] };
}

/** The retrieval for a question. */
interface Found {
  retrieval: Retrieval;
  /** The question with the earlier ones it depends on; null for a complete question. */
  rewritten: string | null;
  /** The parts of a question that asks for several things, of which some are answered; missing if it was answered as a whole, or no part is. */
  parts?: FoundPart[];
}

const isAnswered = ({ retrieval }: Pick<Found, 'retrieval'>) => retrieval.outcome === 'answered';

/** The parts of a question that the cited passages do not support, and how it was understood. */
function judgementFor(
  { retrieval, rewritten, parts: asked = [] }: Found,
  citations: readonly Citation[],
  question: Question,
): Partial<Judgement> {
  const cited = new Set(citations.map(({ href }) => href));
  const quoted = retrieval.forModel.filter(({ _id }) => cited.has(hrefOf(_id)));
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
 * Answers with a matching curated pair, else from passages: extracted, or by the chosen model. If no passage supports an answer it says so and suggests
 * similar questions. A question with files is answered only from them.
 */
export function createAnswerer(deps: AnswererDeps): Answerer {
  const {
    models,
    handbook,
    byModel,
    uses,
    overlay = {},
    without,
    embeddings,
    reranker,
    choices = productChoices,
  } = deps;
  const synonyms = () => overlay.synonyms ?? choices.synonyms();
  let { edition } = handbook;
  const turns = createTurnQueue({ max: maxConcurrent });

  /** Runs `work` in its turn; null if `signal` aborts before. */
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
    documentIds: readonly string[] | undefined,
    translations?: Synonyms,
    isWithHandbook = true,
  ): Promise<Retrieval> {
    const { language, hasPassages = true } = question;
    const asker = hasPassages ? question.owner : '';
    // No passage has the empty edition of a handbook that is not used.
    const isHandbookUsed = edition !== '' && choices.usesHandbook() && !translations && isWithHandbook;
    const scope = (): KnowledgeScope => ({
      owner: overlay.draft === undefined ? asker : draftOwner(overlay.draft),
      readable: question.readable ?? [],
      edition: isHandbookUsed ? edition : '',
      operations: {
        titles: handbook.operations,
        areForAsker: () => choices.operates(question.owner),
      },
      ...(documentIds ? { documentIds } : {}),
      ...(overlay.withoutDocument ? { withoutDocument: overlay.withoutDocument } : {}),
      synonyms: translations ? eitherOf(synonyms(), translations) : synonyms(),
      ...(without ? { without } : {}),
    });
    const meaning = embeddings?.ask(text);
    const search = () =>
      inSpan('retrieve', {}, async (span) => {
        const found = await retrieve(models, text, language, scope(), maxPassages, meaning, reranker);
        const { candidates, total, verdict } = found.explanation;
        span.setAttributes({
          'desk.candidates': candidates,
          'desk.passages': total,
          'desk.verdict': verdict,
        });
        return found;
      });
    const retrieval = await search();
    if (retrieval.explanation.total > 0 || !isHandbookUsed) return retrieval;
    const now = await models.documents
      .findOne({ source: 'handbook', status: 'ready' }, { edition: 1 })
      .lean();
    if (!now || now.edition === edition) return retrieval;
    // A newer process has indexed its edition of the handbook, which replaces this one.
    edition = now.edition;
    return search();
  }

  /**
   * From the files of the conversation if they answer, unless other documents are clearly more likely to, or answer the question alone while the files only do so in
   * its context and say less of it.
   */
  async function findAnywhere(question: Question, isWithHandbook = true): Promise<Found> {
    const found = await findInConversation(question, undefined, isWithHandbook);
    const { earlierDocumentIds = [] } = question;
    if (earlierDocumentIds.length === 0) return found;
    const own = await findInConversation(question, earlierDocumentIds);
    const [first] = found.retrieval.passages;
    // The product's handbook is about the desk, not about what people send; its own headings are.
    const isOfHandbook = first !== undefined && first.edition !== '' && !found.retrieval.isHeading;
    const isCompleteElsewhere =
      !isOfHandbook &&
      own.rewritten !== null &&
      found.rewritten === null &&
      found.retrieval.outcome === 'answered' &&
      !saysAsMuch(own.retrieval, found.retrieval);
    const isOwn =
      own.retrieval.outcome === 'answered' &&
      (isOfHandbook || own.retrieval.margin + fileLead >= found.retrieval.margin) &&
      !isCompleteElsewhere;
    const [better, other] = isOwn ? [own, found] : [found, own];
    return { ...better, retrieval: fuse(better.retrieval, other.retrieval) };
  }

  /**
   * Looks up a short question alone and in its context. The answer comes from one of the two, a model gets the passages of both. An answer to the
   * question alone does not depend on earlier questions.
   */
  async function findInConversation(
    question: Question,
    documentIds: readonly string[] | undefined = question.files && documentIdsOf(question.files),
    isWithHandbook = true,
  ): Promise<Found> {
    const lookUp = (text: string) => find(question, text, documentIds, undefined, isWithHandbook);
    const followUp = followUpOf(question.text, question.language, question.history);
    if (followUp === null) return { retrieval: await lookUp(question.text), rewritten: null };
    const [first, inContext] = await Promise.all([lookUp(question.text), lookUp(followUp.inContext)]);
    const alone = isOfConversation(first, inContext)
      ? await find(question, question.text, documentIds, undefined, false)
      : first;
    return (await needsContext(alone, inContext, () => lookUp(followUp.before)))
      ? { retrieval: fuse(inContext, alone, true), rewritten: followUp.inContext }
      : { retrieval: fuse(alone, inContext, mayLackSubject(alone)), rewritten: null };
  }

  /**
   * Each part of a question that asks for several things, looked up by itself in the context of those before it; null if the first one is not answered, on which the others
   * may depend, or the whole question is and not every part by a passage of its own. Not of a short question, which depends on its conversation.
   */
  async function findParts(
    question: Question,
    whole: Retrieval,
  ): Promise<Pick<Found, 'retrieval' | 'parts'> | null> {
    const texts = partsOfQuestion(question.text);
    if (texts.length < 2 || followUpOf(question.text, question.language, question.history)) return null;
    const lookUp = async (text: string, at: number, isWithHandbook?: boolean): Promise<FoundPart> => {
      const history = texts.slice(0, at).map((earlier) => ({ question: earlier, answer: '' }));
      const { retrieval } = await findAnywhere({ ...question, text, history }, isWithHandbook);
      return { part: text, retrieval };
    };
    const first = await lookUp(texts[0]!, 0);
    if (!isAnswered(first)) return null;
    const isOfHandbook = first.retrieval.passages[0]!.edition !== '';
    const others = await Promise.all(texts.slice(1).map((text, at) => lookUp(text, at + 1, isOfHandbook)));
    const parts = [first, ...others];
    const passages = new Set(parts.map((one) => one.retrieval.passages[0]?._id));
    const isEachOnItsOwn = parts.every(isAnswered) && passages.size === parts.length;
    if (whole.outcome === 'answered' && !isEachOnItsOwn) return null;
    const byOutcome = [...others.filter(isAnswered), ...others.filter((one) => !isAnswered(one))];
    const retrieval = byOutcome.reduce((fused, other) => fuse(fused, other.retrieval), first.retrieval);
    return { retrieval, parts };
  }

  /**
   * A question that is not answered in its own language once more in the other one, by its names, identifiers and numbers, and by words whose vectors mean the same. That
   * language answers if it says most of the words, and is related if it alone says the names or the desk has no other passages.
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
    const other = await find({ ...question, language }, question.text, undefined, synonyms);
    const [best] = other.passages;
    if (best?.language !== language || other.outcome === 'nothing') return found;
    const { said } = wordsSaid(best, other);
    const isAnswer =
      (other.outcome === 'answered' && saysMost(said, words)) ||
      (lacksName && other.evidence?.lacksName === 0);
    if (!isAnswer && !(isOnly && said > 1)) return found;
    return { retrieval: fuse(isAnswer ? other : { ...other, outcome: 'related' }, own), rewritten: null };
  }

  /** Most people have no private passages, so that hundreds of look-ups for them are saved. */
  const ownsPassages = async (owner: string): Promise<boolean> =>
    (await models.findable.collection.findOne({ owner }, { projection: { _id: 1 }, maxTimeMS })) !== null;

  const pairFor = (question: Question, text: string) =>
    matchPair(
      models,
      text,
      analyseQuestion(text, question.language, synonyms()),
      { ...overlay, ...(choices.usesHandbook() ? {} : { withoutHandbook: true }) },
      question.readable,
    );

  async function* answer(
    question: Question,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPiece, void, undefined> {
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

  async function* answerFromAll(
    question: Question,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPiece, void, undefined> {
    // A question that matches a curated pair is complete.
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
    const { forModel: passages } = retrieval;
    const isEnough = retrieval.outcome === 'answered';
    const { language } = question;
    const { nearest } = retrieval;
    const why = reasonOf(retrieval.explanation, null, rewritten, question.history);
    // The model judges by itself whether these answer: it also gets passages that extraction would refuse.
    const suggestions = isEnough ? [] : nearest;
    const nothing = choices.nothingFound(language, nothingFound(language));
    const forModel = { passages, suggestions, suggestionsIfRefused: nearest, nothingFound: nothing };
    const given = [...collectionsOf(passages), ...retrieval.nearestOf];
    if (yield* asModel(question, { language, why, ...forModel }, found, signal, given)) return;
    if (signal.aborted) return;
    const summary = await summariseNamed(models, question, passages);
    const plain: Plain = summary
      ? { ...summary, source: 'document' }
      : isEnough
        ? {
            ...(parts ? answerParts(parts.filter(isAnswered)) : answerByExtraction(retrieval, language)),
            source: 'document',
          }
        : (relatedTo(retrieval, language) ?? { text: nothing, citations: [], source: 'none' });
    const judged = summary ? {} : judgementFor(found, plain.citations, question);
    const cited = new Set(plain.citations.map(({ href }) => href));
    const quoted = collectionsOf(passages.filter(({ _id }) => summary || cited.has(hrefOf(_id))));
    yield* stamp([...quoted, ...(suggestions.length > 0 && !summary ? retrieval.nearestOf : [])]);
    yield* sayPlainly(plain, passages, summary ? [] : suggestions, why, judged, signal);
  }

  /** From the files of the question, and nothing else. */
  async function* answerFromFiles(
    question: Question,
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPiece, void, undefined> {
    const files = question.files ?? [];
    const asked = question.isSummary ? 'summary' : askedOfFiles(question);
    const found = asked === 'summary' ? null : await inTurn(() => findInConversation(question), signal);
    if (signal.aborted) return;
    const isSummary =
      asked === 'summary' || (asked === 'perhaps a summary' && found?.retrieval.outcome !== 'answered');
    const retrieval = isSummary ? null : (found?.retrieval ?? null);
    const why = reasonOf(retrieval?.explanation ?? null, null, found?.rewritten ?? null, question.history);
    const passages = retrieval
      ? retrieval.forModel
      : (await readFileDocuments(models, question))
          .flatMap((document) => document.passages)
          .slice(0, maxPassages);
    const none = { suggestions: [], suggestionsIfRefused: [] };
    const forModel = { language: question.language, passages, why, ...none };
    const searched = isSummary ? null : found;
    if (yield* asModel(question, forModel, searched, signal)) return;
    if (signal.aborted) return;
    const plain = await fromFiles(question, retrieval, question.language);
    const judged = searched ? judgementFor(searched, plain.citations, question) : {};
    yield* sayPlainly(plain, passages, [], why, judged, signal);

    async function fromFiles(asked: Question, found: Retrieval | null, frame: Language): Promise<Plain> {
      if (documentIdsOf(files).length === 0)
        return { text: unreadFiles(files, frame), citations: [], source: 'none' };
      if (found === null) return { ...(await summariseFiles(models, asked, frame)), source: 'document' };
      if (found.outcome !== 'answered') {
        const related = relatedTo(found, frame);
        const parts = [related?.text ?? notInFiles(files, frame), unreadFiles(files, frame)].filter(Boolean);
        return { citations: [], source: 'none', ...related, text: parts.join('\n\n') };
      }
      return { ...answerByExtraction(found, frame), source: 'document' };
    }
  }

  async function* asModel(
    question: Question,
    asked: Omit<ModelQuestion, 'question'>,
    found: Found | null,
    signal: AbortSignal,
    collections: readonly string[] = [],
  ): AsyncGenerator<AnswerPiece, boolean, undefined> {
    if (!byModel?.takes(question)) return false;
    yield* stamp(collections);
    const documentsOf = new Map(asked.passages.map(({ _id, documentId }) => [hrefOf(_id), documentId]));
    const pieces = byModel.answer({ question, ...asked }, signal);
    try {
      for (;;) {
        const next = await pieces.next();
        if (next.done) return next.value;
        if (next.value.kind === 'final') {
          const documents = next.value.citations.flatMap(({ href }) => documentsOf.get(href) ?? []);
          uses?.note({ documents });
          yield {
            ...next.value,
            ...(asked.why ? { why: withCited(asked.why, next.value.citations) } : {}),
            ...(found ? judgementFor(found, next.value.citations, question) : {}),
          };
        } else yield next.value;
      }
    } finally {
      // Ends the request if the reader stops early; its tokens are counted.
      await pieces.return(true);
    }
  }

  function* sayPlainly(
    { text, source, citations, outcome }: Plain,
    passages: readonly PassageText[],
    suggestions: string[],
    why: AnswerReason,
    judged: Partial<Judgement>,
    signal: AbortSignal,
  ): Generator<AnswerPiece, void, undefined> {
    const cited = new Set(citations.map(({ href }) => href));
    const documents = passages.filter(({ _id }) => cited.has(hrefOf(_id)));
    uses?.note({ documents: documents.map(({ documentId }) => documentId) });
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
