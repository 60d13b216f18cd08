import { createServer, type ServerResponse } from 'node:http';

export interface ModelStandIn {
  /** The value for OPENAI_BASE_URL. */
  url: string;
  /** Bodies of the requests for an answer so far. */
  requests: { stream?: boolean; messages: { role: string; content: string }[] }[];
  /** Number of requests whose client disconnected before the end. */
  aborted: number;
  close(): Promise<void>;
}

interface ModelScript {
  /** Its answer, piece by piece. */
  pieces: (question: string) => string[];
  /** Its reasoning before the answer, piece by piece; undefined: none. */
  thoughts?: (question: string) => string[];
  /** Milliseconds between two pieces. */
  pause: number;
  /** Resolves when this piece may be sent; undefined: immediately. */
  gate?: (question: string, index: number) => Promise<void> | undefined;
  /** Closes the connection after this many pieces; undefined: never. */
  cutAfter?: (question: string) => number | undefined;
}

/** A local server with the streaming chat completions API, as slow and unreliable as the script says. */
export async function startModel(script: ModelScript): Promise<ModelStandIn> {
  const requests: ModelStandIn['requests'] = [];
  const standIn = { url: '', requests, aborted: 0 };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    if (body.stream === true) requests.push(body);
    response.on('close', () => {
      if (!response.writableFinished) standIn.aborted++;
    });
    // Requests to rewrite a follow-up question are not streamed: the question stays unchanged.
    if (body.stream !== true) return sayNothing(response);
    const question = body.messages.at(-1)?.content ?? '';
    await say(response, script, question).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  standIn.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/v1`;

  return Object.assign(standIn, {
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  });
}

function sayNothing(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ choices: [{ message: { content: '' }, finish_reason: 'stop' }] }));
}

async function say(
  response: ServerResponse,
  { pieces, thoughts, pause, gate, cutAfter }: ModelScript,
  question: string,
) {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const cutAt = cutAfter?.(question);
  const send = (delta: object, finish: string | null) =>
    response.write(
      `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: 'stand-in', choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
    );
  for (const reasoning_content of thoughts?.(question) ?? []) send({ reasoning_content }, null);
  for (const [index, content] of pieces(question).entries()) {
    await gate?.(question, index);
    if (response.destroyed) return;
    if (index === cutAt) return response.destroy();
    send({ role: 'assistant', content }, null);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}
