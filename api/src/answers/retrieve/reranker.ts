import type { Logger } from 'pino';
import type { ConfiguredRerank } from '../../config/configured-endpoint.ts';
import { createBreaker } from '../endpoints/breaker.ts';
import { EndpointFailure, failureOf } from '../endpoints/endpoint-failure.ts';
import { postJson } from '../endpoints/post-json.ts';

/** Maximum size of a response in bytes: some endpoints repeat the documents. */
const maxBodyBytes = 2_000_000;
/** Maximum length of a passage in a request, in UTF-16 units: models read about 512 tokens of it. */
const maxTextLength = 2000;
const patience = { failuresToOpen: 3, openMs: 10_000, maxOpenMs: 300_000 };
/** Log odds are limited to ± this. */
const maxLogOdds = 12;

export type Reranker = ReturnType<typeof createReranker>;

/**
 * Rates passages by a model at an endpoint, `POST <baseUrl>/rerank`. After repeated failures, which include
 * timeouts, the endpoint is not asked for an increasing time.
 */
export function createReranker(
  { baseUrl, model, apiKey, timeoutMs }: ConfiguredRerank,
  log: Pick<Logger, 'warn'>,
) {
  const breaker = createBreaker(patience);
  /** Text Embeddings Inference calls the documents `texts`. */
  let field: 'documents' | 'texts' = 'documents';
  /** Whether the endpoint has sent a relevance outside of 0 to 1, as llama.cpp does. */
  let sendsLogOdds = false;

  async function request(query: string, texts: readonly string[], signal: AbortSignal): Promise<unknown> {
    const post = (field: string) => {
      const body = { model, query, [field]: texts, top_n: texts.length };
      return postJson(`${baseUrl}/rerank`, { apiKey, body, signal }, maxBodyBytes);
    };
    try {
      return await post(field);
    } catch (cause) {
      const isWrongField = cause instanceof EndpointFailure && (cause.status === 422 || cause.status === 400);
      if (!isWrongField || field === 'texts') throw cause;
      const said = await post('texts');
      field = 'texts';
      return said;
    }
  }

  return {
    /**
     * The log odds that each text is relevant for the question, in the order of the texts; 0 is a probability
     * of ½. null after a failure, which is logged, and while the endpoint is not asked. Never throws.
     */
    async rate(question: string, texts: readonly string[]): Promise<number[] | null> {
      if (texts.length === 0) return null;
      const trial = breaker.enter();
      if (!trial) return null;
      try {
        const cut = texts.map((text) => text.slice(0, maxTextLength).toWellFormed());
        const said = await request(question, cut, AbortSignal.timeout(timeoutMs));
        const scores = scoresOf(said, texts.length);
        trial.succeeded();
        sendsLogOdds ||= scores.some((score) => score < 0 || score > 1);
        return scores.map((score) => bound(sendsLogOdds ? score : Math.log(score / (1 - score))));
      } catch (cause) {
        const failure = failureOf(cause);
        trial.failed(failure.retryAfterMs);
        const { kind, status } = failure;
        log.warn({ kind, status, err: failure }, 'passages were not reranked');
        return null;
      }
    },
  };
}

function bound(logOdds: number): number {
  return Math.max(-maxLogOdds, Math.min(maxLogOdds, logOdds));
}

/** `{results: [{index, relevance_score}]}`, or of Text Embeddings Inference `[{index, score}]`. */
function scoresOf(body: unknown, count: number): number[] {
  const rows = Array.isArray(body) ? body : (body as { results?: unknown } | null)?.results;
  if (!Array.isArray(rows)) throw malformed();
  const scores: number[] = [];
  for (const row of rows as ({ index?: unknown; relevance_score?: unknown; score?: unknown } | null)[]) {
    const index = row?.index;
    const score = row?.relevance_score ?? row?.score;
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count) throw malformed();
    if (typeof score !== 'number' || !Number.isFinite(score) || scores[index as number] !== undefined)
      throw malformed();
    scores[index as number] = score;
  }
  for (let at = 0; at < count; at += 1) if (scores[at] === undefined) throw malformed();
  return scores;
}

function malformed(): EndpointFailure {
  return new EndpointFailure('malformed', { detail: 'the endpoint sent no relevance for each document' });
}
