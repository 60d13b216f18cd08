import { Agent, type IncomingMessage, request } from 'node:http';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';

/** A guest on one keep-alive connection, like a browser. */
export interface Asker {
  /** Waits for the complete answer as JSON; resolves to ms. Rejects unless an answer arrived. */
  ask(text: string): Promise<number>;
  /**
   * Reads the answer as events; resolves to ms until the first `delta` and until `done`. Rejects unless both
   * arrived.
   */
  follow(text: string): Promise<{ firstToken: number; done: number }>;
  close(): void;
}

/** Questions per conversation before the guest starts another. */
const A_CONVERSATION = 10;

/** Uses plain node:http, since every cost of the client is taken from the server on the same cores. */
export function createAsker(deskUrl: string): Asker {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cookies = new Map<string, string>();
  let conversationId: string | undefined;
  let asked = 0;

  const send = (text: string, accept: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      if (asked++ % A_CONVERSATION === 0) conversationId = undefined;
      const headers = {
        accept,
        'content-type': 'application/json',
        ...(cookies.size > 0 ? { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') } : {}),
        ...(cookies.has('XSRF-TOKEN')
          ? { 'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN')!) }
          : {}),
      };
      const outgoing = request(`${deskUrl}/api/chat`, { method: 'POST', agent, headers }, (response) => {
        for (const cookie of response.headers['set-cookie'] ?? []) keep(cookie, cookies);
        resolve(response);
      });
      outgoing.on('error', reject);
      outgoing.end(JSON.stringify({ text, ...(conversationId ? { conversationId } : {}) }));
    });

  return {
    async ask(text) {
      const start = performance.now();
      const response = await send(text, 'application/json');
      const body = await textOf(response);
      const took = performance.now() - start;
      const answer = response.statusCode === 200 ? (JSON.parse(body) as ChatAnswer) : undefined;
      if (!answer?.response)
        throw new Error(`POST /api/chat must answer ${text}, got ${response.statusCode} ${body}`);
      conversationId = answer.conversationId;
      return took;
    },
    async follow(text) {
      const start = performance.now();
      const response = await send(text, 'text/event-stream');
      let firstToken: number | undefined;
      const body = await textOf(response, (heard) => {
        if (firstToken === undefined && hasEvent(heard, 'delta')) firstToken = performance.now() - start;
      });
      const done = performance.now() - start;
      if (firstToken === undefined || !hasEvent(body, 'done'))
        throw new Error(
          `POST /api/chat must stream an answer to ${text}, got ${response.statusCode} ${body}`,
        );
      conversationId = /"conversationId":"([^"]+)"/.exec(body)?.[1];
      return { firstToken, done };
    },
    close: () => agent.destroy(),
  };
}

function keep(setCookie: string, cookies: Map<string, string>): void {
  const [pair = ''] = setCookie.split(';');
  const at = pair.indexOf('=');
  cookies.set(pair.slice(0, at), pair.slice(at + 1));
}

async function textOf(
  response: IncomingMessage,
  onText: (heard: string) => void = () => {},
): Promise<string> {
  response.setEncoding('utf8');
  let heard = '';
  for await (const chunk of response) {
    heard += chunk;
    onText(heard);
  }
  return heard;
}

function hasEvent(stream: string, name: string): boolean {
  return new RegExp(`^event: ?${name}\\r?$`, 'm').test(stream);
}
