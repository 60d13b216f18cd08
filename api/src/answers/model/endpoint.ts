import { text as readText } from 'node:stream/consumers';
import { createParser } from 'eventsource-parser';
import type { ConfiguredModel } from '../../config/configured-models.ts';
import { bounded, EndpointFailure, refusalOf, unreachable } from './endpoint-failure.ts';
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
   * in one piece although it was asked to stream is understood as well.
   *
   * @throws EndpointFailure for whatever goes wrong, also for an answer that ends before it was over.
   */
  complete(
    messages: readonly ModelMessage[],
    signal: AbortSignal,
  ): AsyncGenerator<ModelDelta, void, undefined>;
}

/** Characters of one server-sent event: a token takes some hundred, and a whole answer in one event still fits. */
const longestEvent = 1_000_000;
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
    async *complete(messages, signal) {
      const body = { model, messages, stream: true };
      const extras = { temperature: 0.2, stream_options: { include_usage: true } };
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
  if (type === 'application/json') return oneOf(await readText(bounded(response.body, longestBody)));
  if (!['text/event-stream', 'text/plain', 'application/octet-stream', ''].includes(type))
    throw new EndpointFailure('wrong_address', { detail: 'the endpoint sent neither events nor JSON' });
  return eventData(response.body);
}

/**
 * The data of each server-sent event of a body; an event that its empty line has not closed is given when the body ends.
 *
 * @throws EndpointFailure for an event of more than a million characters.
 */
export async function* eventData(body: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: longestEvent,
    onEvent: ({ data }) => {
      if (data !== '') events.push(data);
    },
    onError({ type }) {
      if (type === 'max-buffer-size-exceeded')
        throw new EndpointFailure('malformed', {
          detail: 'the endpoint sent an event of more than a million characters',
        });
    },
  });
  for await (const bytes of body) {
    parser.feed(decoder.decode(bytes, { stream: true }));
    yield* events.splice(0);
  }
  parser.feed('\n\n');
  yield* events;
}

async function* oneOf(text: string): AsyncGenerator<string> {
  yield text;
}
