import { setTimeout as wait } from 'node:timers/promises';
import type { OpenAI } from 'openai';
import type { ModelSettings } from './model-settings.ts';

export type ModelMessage = { role: 'system' | 'user' | 'assistant'; content: string };

/** A stream that ended without saying so, or fell silent. */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream';
}

type Chunk = OpenAI.ChatCompletionChunk;

/**
 * The text of a chat completion as the endpoint streams it; what it sends as reasoning is left out. Retries on 408, 409, 429, 5xx
 * and broken connections, but never once a piece was yielded. The upstream request ends when the reader stops or `signal` aborts.
 *
 * @throws whatever went wrong: the client's APIError, a SyntaxError for a malformed chunk, BrokenStream for a cut or a stall.
 */
export async function* streamModel(
  settings: ModelSettings,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (let attempt = 0; ; attempt += 1) {
    let said = false;
    try {
      for await (const text of attemptOnce(settings, messages, signal)) {
        said = true;
        yield text;
      }
      return;
    } catch (failure) {
      if (signal.aborted) return;
      if (said || attempt >= settings.retries || !isPassing(failure)) throw failure;
      await pause(waitOf(failure, attempt, settings), signal);
      if (signal.aborted) return;
    }
  }
}

async function* attemptOnce(
  settings: ModelSettings,
  messages: readonly ModelMessage[],
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  const { OpenAI } = await import('openai');
  const client = new OpenAI({
    baseURL: settings.baseUrl,
    apiKey: settings.apiKey,
    maxRetries: 0,
    logLevel: 'off',
  });
  const silence = createSilence(signal);
  try {
    silence.allow(settings.firstTokenMs);
    const stream = await client.chat.completions.create(
      { model: settings.model, messages: [...messages], stream: true, temperature: 0.2 },
      { signal: silence.signal },
    );
    let isFinished = false;
    for await (const chunk of stream) {
      const choice = (chunk as Partial<Chunk>).choices?.[0];
      isFinished ||= typeof choice?.finish_reason === 'string';
      if (choice?.delta) silence.allow(settings.idleMs);
      if (typeof choice?.delta?.content === 'string' && choice.delta.content !== '')
        yield choice.delta.content;
    }
    if (silence.signal.aborted) throw new BrokenStream('the model fell silent');
    if (!isFinished) throw new BrokenStream('the stream ended without a finish_reason');
  } catch (failure) {
    if (silence.isOver && !signal.aborted)
      throw new BrokenStream('the model fell silent', { cause: failure });
    throw failure;
  } finally {
    silence.end();
  }
}

/** Aborts with `outer`, and when the time that was last allowed passes. */
function createSilence(outer: AbortSignal) {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const abort = () => controller.abort();
  outer.addEventListener('abort', abort);
  if (outer.aborted) abort();
  return {
    signal: controller.signal,
    get isOver() {
      return isOver;
    },
    allow(ms: number) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isOver = true;
        abort();
      }, ms);
    },
    end() {
      clearTimeout(timer);
      outer.removeEventListener('abort', abort);
      abort();
    },
  };
}

function isPassing(failure: unknown): boolean {
  if (failure instanceof SyntaxError) return false;
  const { status } = failure as { status?: number };
  return status === undefined || [408, 409, 429].includes(status) || status >= 500;
}

function waitOf(failure: unknown, attempt: number, { waitMs, mostWaitMs }: ModelSettings): number {
  const asked = Number((failure as { headers?: Headers }).headers?.get?.('retry-after')) * 1000;
  return Math.min(mostWaitMs, asked > 0 ? asked : waitMs * 2 ** attempt);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (failure) {
    if (!signal.aborted) throw failure;
  }
}
