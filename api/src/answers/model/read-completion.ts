import { parseJson } from '../../config/parse-json.ts';
import { chunkErrorOf, EndpointFailure } from '../endpoints/endpoint-failure.ts';

/** The content of one chunk; texts are '' if missing. */
export interface ModelDelta {
  content: string;
  /** Reasoning of the model. */
  reasoning: string;
  /** Tokens of prompt and answer together; null if the endpoint does not report them. */
  tokens: number | null;
  /** Why the answer ended; null if it continues. Only the tokens may follow. */
  end: AnswerEnd | null;
  /** Whether it contains a tool call. */
  hasToolCall: boolean;
}

export type AnswerEnd = 'stop' | 'length' | 'content_filter' | 'tool_call' | 'error';

/**
 * Reads chat completion chunks, or a whole chat completion.
 *
 * @throws EndpointFailure for a malformed chunk, an error instead of one, and an end without `finish_reason`
 *   or `[DONE]`.
 */
export async function* readCompletion(data: AsyncIterable<string>) {
  let isOver = false;
  for await (const text of data) {
    if (text.trim() === '[DONE]') return;
    const chunk = parseJson(text);
    if (!isObject(chunk))
      throw new EndpointFailure('malformed', { detail: 'the endpoint sent a malformed chunk' });
    const delta = deltaOf(chunk);
    isOver ||= delta.end !== null;
    yield delta;
  }
  if (!isOver) throw new EndpointFailure('incomplete');
}

function deltaOf(chunk: Record<string, unknown>): ModelDelta {
  if (chunk.error !== undefined && chunk.error !== null) throw chunkErrorOf(chunk.error);
  const { delta, message, finish_reason } = firstChoice(chunk.choices);
  const said = isObject(delta) ? delta : isObject(message) ? message : {};
  const parts = partsOf(said.content);
  const thought = [said.reasoning_content, said.reasoning].find((text) => typeof text === 'string');
  const refusal = typeof said.refusal === 'string' ? said.refusal : '';
  return {
    content: parts.content + refusal,
    reasoning: (typeof thought === 'string' ? thought : '') + parts.reasoning,
    tokens: tokensOf(chunk.usage),
    end: endOf(finish_reason),
    hasToolCall: isSent(said.tool_calls) || isSent(said.function_call),
  };
}

function isSent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : isObject(value);
}

/** `finish_reason` of OpenAI, Mistral, Gemini, Anthropic, Zhipu and DeepSeek; any other means `stop`. */
const ends: Record<string, AnswerEnd> = {
  length: 'length',
  max_tokens: 'length',
  model_length: 'length',
  model_context_window_exceeded: 'length',
  content_filter: 'content_filter',
  content_filtered: 'content_filter',
  prohibited_content: 'content_filter',
  refusal: 'content_filter',
  safety: 'content_filter',
  sensitive: 'content_filter',
  tool_calls: 'tool_call',
  tool_use: 'tool_call',
  function_call: 'tool_call',
  error: 'error',
  network_error: 'error',
  insufficient_system_resource: 'error',
};

function endOf(reason: unknown): AnswerEnd | null {
  if (typeof reason !== 'string' || reason === '') return null;
  return ends[reason.toLowerCase()] ?? 'stop';
}

/** The first choice. Some servers send more than the one requested. */
function firstChoice(choices: unknown): Record<string, unknown> {
  if (!Array.isArray(choices)) return {};
  return choices.filter(isObject).find(({ index = 0 }) => index === 0) ?? {};
}

/** Reads text, or a list of parts as some reasoning models send it. */
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
