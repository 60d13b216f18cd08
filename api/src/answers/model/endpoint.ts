import { text as readText } from 'node:stream/consumers';
import { createParser } from 'eventsource-parser';
import type { ConfiguredModel } from '../../config/configured-models.ts';
import { generateInSpan, type Span, SpanKind } from '../../tracing/span.ts';
import { bounded, EndpointFailure, refusalOf, unreachable } from '../endpoints/endpoint-failure.ts';
import { post } from '../endpoints/post-json.ts';
import { readCompletion } from './read-completion.ts';

export type MessagePart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ModelMessage {
  role: 'system' | 'user' | 'assistant';
  content: string | MessagePart[];
}

/** Maximum length of a server-sent event in characters: a complete answer fits. */
const maxEventLength = 1_000_000;

/** Maximum size of an answer that is not streamed, in bytes. */
const maxBodyBytes = 4_000_000;

export type Endpoint = ReturnType<typeof createEndpoint>;

/** A model at an OpenAI-compatible endpoint, `POST <baseUrl>/chat/completions`. */
export function createEndpoint({ baseUrl, apiKey, model }: ConfiguredModel) {
  /** false after the server refused optional parameters and accepted the same request without them. */
  let takesExtras = true;

  async function send(body: object, signal: AbortSignal): Promise<Response> {
    // Compression would delay the pieces.
    const headers = { accept: 'text/event-stream, application/json', 'accept-encoding': 'identity' };
    try {
      return await post(`${baseUrl}/chat/completions`, { apiKey, body, signal }, headers);
    } catch (cause) {
      throw unreachable('the endpoint cannot be reached', cause);
    }
  }

  async function request(body: object, extras: object, signal: AbortSignal): Promise<Response> {
    const response = await send(takesExtras ? { ...body, ...extras } : body, signal);
    if (!takesExtras || (response.status !== 400 && response.status !== 422)) return response;
    await response.body?.cancel();
    const again = await send(body, signal);
    if (again.ok) takesExtras = false;
    return again;
  }

  async function* stream(messages: readonly ModelMessage[], signal: AbortSignal, span: Span) {
    const body = { model, messages, stream: true };
    const extras = { temperature: 0.2, stream_options: { include_usage: true } };
    const response = await request(body, extras, signal);
    span.setAttribute('http.response.status_code', response.status);
    if (!response.ok) throw await refusalOf(response, apiKey !== '');
    try {
      for await (const delta of readCompletion(await dataOf(response))) {
        if (delta.tokens !== null) span.setAttribute('desk.model.tokens', delta.tokens);
        yield delta;
      }
    } catch (cause) {
      if (cause instanceof EndpointFailure) throw cause;
      throw unreachable('the connection to the endpoint broke', cause);
    } finally {
      if (response.body && !response.body.locked) await response.body.cancel().catch(() => undefined);
    }
  }

  return {
    /**
     * Sends a request and streams the answer. Servers that do not stream are supported as well.
     *
     * @throws EndpointFailure for any failure, also for an incomplete answer.
     */
    complete(messages: readonly ModelMessage[], signal: AbortSignal) {
      const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.model': model };
      return generateInSpan(`chat ${model}`, { kind: SpanKind.CLIENT, attributes }, (span) =>
        stream(messages, signal, span),
      );
    },
  };
}

async function dataOf(response: Response): Promise<AsyncIterable<string>> {
  const type = response.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (response.body === null) throw new EndpointFailure('empty', { detail: 'the endpoint sent no body' });
  if (type === 'application/json') return oneOf(await readText(bounded(response.body, maxBodyBytes)));
  if (!['text/event-stream', 'text/plain', 'application/octet-stream', ''].includes(type))
    throw new EndpointFailure('wrong_address', { detail: 'the endpoint sent neither events nor JSON' });
  return eventData(response.body);
}

/**
 * The data of each server-sent event of a body, including an unterminated last one.
 *
 * @throws EndpointFailure for an event of more than a million characters.
 */
export async function* eventData(body: AsyncIterable<Uint8Array>) {
  const decoder = new TextDecoder();
  const events: string[] = [];
  const parser = createParser({
    maxBufferSize: maxEventLength,
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

async function* oneOf(text: string) {
  yield text;
}
