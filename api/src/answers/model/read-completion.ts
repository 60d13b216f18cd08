import { EndpointFailure } from './endpoint-failure.ts';

/** What came with one chunk. Texts are '' where it brought none. */
export interface ModelDelta {
  content: string;
  /** What the model thinks aloud. */
  reasoning: string;
  /** Tokens of prompt and answer together, where the endpoint tells. */
  tokens: number | null;
  /** The answer is over; what may still come is the tokens. */
  isOver: boolean;
  /** It is over because it got too long. */
  isCutShort: boolean;
}

/**
 * Reads chat completion chunks, or a whole chat completion.
 *
 * @throws EndpointFailure for a malformed chunk, an error in place of one, and an end without `finish_reason` or `[DONE]`.
 */
export async function* readCompletion(
  data: AsyncIterable<string>,
): AsyncGenerator<ModelDelta, void, undefined> {
  let isOver = false;
  for await (const text of data) {
    if (text.trim() === '[DONE]') return;
    const delta = deltaOf(parse(text));
    isOver ||= delta.isOver;
    yield delta;
  }
  if (!isOver) throw new EndpointFailure('the answer was cut: no finish_reason came', { isPassing: true });
}

function parse(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (isObject(parsed)) return parsed;
  } catch {
    // Told like anything else that is no object.
  }
  throw new EndpointFailure('the endpoint sent a malformed chunk');
}

function deltaOf(chunk: Record<string, unknown>): ModelDelta {
  if (chunk.error !== undefined && chunk.error !== null)
    throw new EndpointFailure('the endpoint sent an error in place of a chunk', { isPassing: true });
  const { delta, message, finish_reason } = firstChoice(chunk.choices);
  const said = isObject(delta) ? delta : isObject(message) ? message : {};
  const parts = partsOf(said.content);
  const thought = [said.reasoning_content, said.reasoning].find((text) => typeof text === 'string');
  const refusal = typeof said.refusal === 'string' ? said.refusal : '';
  return {
    content: parts.content + refusal,
    reasoning: (typeof thought === 'string' ? thought : '') + parts.reasoning,
    tokens: tokensOf(chunk.usage),
    isOver: typeof finish_reason === 'string' && finish_reason !== '',
    isCutShort: finish_reason === 'length',
  };
}

/** One answer is asked for; of others, or in another order, some servers send all the same. */
function firstChoice(choices: unknown): Record<string, unknown> {
  if (!Array.isArray(choices)) return {};
  return choices.filter(isObject).find(({ index = 0 }) => index === 0) ?? {};
}

/** Text, or a list of parts, as some models send it that think aloud. */
function partsOf(content: unknown): { content: string; reasoning: string } {
  if (typeof content === 'string') return { content, reasoning: '' };
  const found = { content: '', reasoning: '' };
  if (!Array.isArray(content)) return found;
  for (const part of content) {
    if (!isObject(part)) continue;
    if (part.type === 'text' && typeof part.text === 'string') found.content += part.text;
    if (part.type === 'thinking') found.reasoning += partsOf(part.thinking).content;
  }
  return found;
}

function tokensOf(usage: unknown): number | null {
  if (!isObject(usage)) return null;
  const { total_tokens: total, prompt_tokens: prompt, completion_tokens: completion } = usage;
  if (isCount(total)) return total;
  return isCount(prompt) && isCount(completion) ? prompt + completion : null;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value < 1e9;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
