import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';

/** Answers one request to /v1/chat/completions. */
export type ModelReply = (response: ServerResponse, request: IncomingMessage) => void | Promise<void>;

export interface ModelRequest {
  model: string;
  stream: boolean;
  messages: Array<{ role: string; content: string }>;
}

export interface ModelStandIn {
  /** What OPENAI_BASE_URL takes. */
  baseUrl: string;
  requests: ModelRequest[];
  /** Resolves when a client has gone away before its answer was over. */
  leftEarly: Promise<void>;
  end(): Promise<void>;
}

/** A local server that speaks the chat completions protocol; each request gets the next of `replies`, the last one for ever. */
export async function startModelStandIn(...replies: ModelReply[]): Promise<ModelStandIn> {
  const requests: ModelRequest[] = [];
  let left = () => {};
  const leftEarly = new Promise<void>((resolve) => {
    left = resolve;
  });
  const server = createServer(async (request, response) => {
    requests.push(JSON.parse(await readText(request)) as ModelRequest);
    response.on('close', () => response.writableFinished || left());
    await replies[Math.min(requests.length, replies.length) - 1]!(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
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

/** Streams `pieces` and ends as it should. */
export function says(...pieces: string[]): ModelReply {
  return (response) => {
    beginStream(response);
    for (const content of pieces) sendDelta(response, { content });
    endStream(response);
  };
}

export function fails(status: number, headers: Record<string, string> = {}): ModelReply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message: `status ${status}`, type: 'stand_in' } }));
  };
}
