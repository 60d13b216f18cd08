import { createServer, type ServerResponse } from 'node:http';

export interface ModelStandIn {
  /** The value for OPENAI_BASE_URL. */
  url: string;
  /** Bodies of the requests for an answer so far. */
  requests: { stream?: boolean; messages: { role: string; content: string }[] }[];
  /** Requests whose client went away before the end. */
  aborted: number;
  close(): Promise<void>;
}

export interface ModelScript {
  /** What it says, piece by piece. */
  pieces: (question: string) => string[];
  /** What it thinks before it says anything, piece by piece; undefined: nothing. */
  thoughts?: (question: string) => string[];
  /** Milliseconds between two pieces. */
  pause: number;
  /** Resolves when this piece may be said; undefined: at once. */
  gate?: (question: string, index: number) => Promise<void> | undefined;
  /** Breaks the connection after so many pieces; undefined: not at all. */
  cutAfter?: (question: string) => number | undefined;
}

/** A local server that speaks the chat completions protocol, streamed, as slowly and as unreliably as it is told to. */
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
    // A question that leans on the conversation is to be put anew first: it stays as it is.
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
