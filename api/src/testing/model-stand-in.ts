import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

/** Handles one request to /v1/chat/completions. */
export type ModelReply = (
  response: ServerResponse,
  request: IncomingMessage,
  asked: ModelRequest,
) => void | Promise<void>;

export interface ModelRequest {
  model: string;
  stream: boolean;
  messages: Array<{ role: string; content: string | RequestPart[] }>;
  stream_options?: { include_usage: boolean };
  temperature?: number;
}

type RequestPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } };

export interface ModelStandIn {
  /** The value for OPENAI_BASE_URL. */
  baseUrl: string;
  requests: ModelRequest[];
  /** Of each request. */
  headers: IncomingMessage['headers'][];
  /** Resolves when a client has disconnected before its answer was complete. */
  leftEarly: Promise<void>;
  end(): Promise<void>;
}

/**
 * A local server with the chat completions API; each request gets the next of `replies`, the last one is
 * repeated.
 */
export function startModelStandIn(...replies: ModelReply[]): Promise<ModelStandIn> {
  let count = 0;
  return listenAsModel(0, (...args) => {
    count += 1;
    return replies[Math.min(count, replies.length) - 1]!(...args);
  });
}

/** The same with one reply to everything, on a given port; 0 for any. */
export async function listenAsModel(port: number, reply: ModelReply): Promise<ModelStandIn> {
  const requests: ModelRequest[] = [];
  const headers: ModelStandIn['headers'] = [];
  let left = () => {};
  const leftEarly = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer(async (request, response) => {
    const asked = JSON.parse(await readText(request)) as ModelRequest;
    requests.push(asked);
    headers.push(request.headers);
    response.on('close', () => response.writableFinished || left());
    await reply(response, request, asked);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    headers,
    leftEarly,
    end: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

export function sendDelta(response: ServerResponse, delta: object, finish: string | null = null): void {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  response.write(
    `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices })}\n\n`,
  );
}

export function endStream(response: ServerResponse): void {
  sendDelta(response, {}, 'stop');
  response.end('data: [DONE]\n\n');
}

/** Sends `pieces` as a correctly terminated answer, streamed if requested. */
export function says(...pieces: string[]): ModelReply {
  return (response, _request, { stream }) => {
    if (!stream) return sendWhole(response, pieces.join(''));
    beginStream(response);
    for (const content of pieces) sendDelta(response, { content });
    endStream(response);
  };
}

/** A completion that is not streamed. */
export function sendWhole(response: ServerResponse, content: string, more: object = {}): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  const choices = [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason: 'stop' }];
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 0, model: 'm', choices }));
}

export function sendUsage(response: ServerResponse, prompt: number, completion: number): void {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  const chunk = { id: 'c', object: 'chat.completion.chunk', created: 0, model: 'm', choices: [], usage };
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

export function fails(status: number, headers: Record<string, string> = {}): ModelReply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: `status ${status}`, type: 'stand_in' } }));
  };
}
