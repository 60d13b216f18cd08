import { text as readText } from 'node:stream/consumers';
import type { ConfiguredModel } from '../../configured-models.ts';
import { EndpointFailure, refusalOf } from './endpoint-failure.ts';
import { eventData } from './event-data.ts';
import { type ModelDelta, readCompletion } from './read-completion.ts';

export type MessagePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | MessagePart[];
}

/** One model at its endpoint: `POST <baseUrl>/chat/completions`, the protocol that OpenAI began and many servers speak. */
export interface Endpoint {
  /**
   * One request, with what comes of it as it comes. Redirects are not followed: the address is the configuration's alone. A server that answers
   * in one piece although it was asked to stream is understood as well, and the other way round.
   *
   * @throws EndpointFailure for whatever goes wrong, also for an answer that ends before it was over.
   */
  complete(
    messages: readonly ModelMessage[],
    options: { isStreamed: boolean; maxTokens?: number },
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, void, undefined>;
}

/** A whole answer in one piece, in bytes. */
const longestBody = 4_000_000;

export function createEndpoint({ baseUrl, apiKey, model }: ConfiguredModel): Endpoint {
  /** False once it has refused what not every server knows, and taken the same without. */
  let takesExtras = true;

  async function post(body: object, signal: AbortSignal): Promise<Response> {
    try {
      return await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'text/event-stream, application/json',
          // Packed pieces wait for one another.
          'accept-encoding': 'identity',
          ...(apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` }),
        },
        body: JSON.stringify(body),
        redirect: 'manual',
        signal,
      });
    } catch (cause) {
      throw unreachable('the endpoint cannot be reached', cause);
    }
  }

  async function request(body: object, extras: object, signal: AbortSignal): Promise<Response> {
    const response = await post(takesExtras ? { ...body, ...extras } : body, signal);
    if (!takesExtras || (response.status !== 400 && response.status !== 422)) return response;
    await response.body?.cancel();
    const again = await post(body, signal);
    if (again.ok) takesExtras = false;
    return again;
  }

  return {
    async *complete(messages, { isStreamed, maxTokens }, signal) {
      const body = { model, messages, stream: isStreamed };
      const extras = {
        temperature: 0.2,
        ...(isStreamed ? { stream_options: { include_usage: true } } : {}),
        ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
      };
      const response = await request(body, extras, signal);
      if (!response.ok) throw await refusalOf(response, apiKey !== '');
      try {
        yield* readCompletion(await dataOf(response));
      } catch (cause) {
        if (cause instanceof EndpointFailure) throw cause;
        throw unreachable('the connection to the endpoint broke', cause);
      } finally {
        if (response.body && !response.body.locked) await response.body.cancel().catch(() => undefined);
      }
    },
  };
}

async function dataOf(response: Response): Promise<AsyncIterable<string>> {
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (response.body === null) throw new EndpointFailure('empty', { detail: 'the endpoint sent no body' });
  if (type === 'application/json') return oneOf(await readText(bounded(response.body)));
  if (!['text/event-stream', 'text/plain', 'application/octet-stream', ''].includes(type))
    throw new EndpointFailure('wrong_address', { detail: 'the endpoint sent neither events nor JSON' });
  return eventData(response.body);
}

async function* oneOf(text: string): AsyncGenerator<string> {
  yield text;
}

/** @throws EndpointFailure for a body of more than `most` bytes. */
export async function* bounded(
  body: AsyncIterable<Uint8Array>,
  most = longestBody,
): AsyncGenerator<Uint8Array> {
  let left = most;
  for await (const bytes of body) {
    left -= bytes.length;
    if (left < 0)
      throw new EndpointFailure('malformed', {
        detail: `the endpoint sent more than ${most / 1_000_000} MB in one piece`,
      });
    yield bytes;
  }
}

/** The reason alone: what surrounds it may name the address. */
export function unreachable(message: string, cause: unknown): EndpointFailure {
  const { code } = ((cause as Error | undefined)?.cause ?? cause ?? {}) as { code?: unknown };
  const reason = typeof code === 'string' && /^[A-Z_]{3,40}$/.test(code) ? ` (${code})` : '';
  return new EndpointFailure('unreachable', { detail: message + reason });
}
