import type { AdminReply, SignInReply } from '../contract/accounts.ts';
import type { AnswerEvent, ChatAnswer } from '../contract/chat.ts';
import { checkReply } from './check-reply.ts';

export interface Reply<T = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: T;
}

/** An event of an answer with its id. */
export type SeenEvent = AnswerEvent & { id: number };

/** Simulates a visitor's browser: stores cookies, sends the CSRF header, and a token after `signIn`. */
export interface Visitor {
  cookies: Map<string, string>;
  token: string;
  call<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Reply<T>>;
  /** The raw response, with the visitor's cookies and headers sent. */
  fetch(method: string, path: string, init?: RequestInit): Promise<Response>;
  /** The events of a stream until it ends. */
  events(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): AsyncGenerator<SeenEvent>;
  /** Asks a question and returns the answer. @throws Error unless there is one */
  ask(text: string, more?: object): Promise<ChatAnswer>;
  signUp(username: string, password: string): Promise<AdminReply<string>>;
  signIn(username: string, password: string): Promise<SignInReply<string>>;
}

/** `url` is a function if the address may change with a restart. */
export function createVisitor(url: string | (() => string)): Visitor {
  const base = typeof url === 'string' ? () => url : url;
  const visitor: Visitor = {
    cookies: new Map(),
    token: '',
    async fetch(method, path, init = {}) {
      const headers = new Headers(init.headers);
      if (visitor.token && !headers.has('Authorization'))
        headers.set('Authorization', `Bearer ${visitor.token}`);
      if (visitor.cookies.size > 0) {
        headers.set('Cookie', [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
        if (!headers.has('X-XSRF-TOKEN'))
          headers.set('X-XSRF-TOKEN', visitor.cookies.get('XSRF-TOKEN') ?? '');
      }
      const response = await fetch(base() + path, { ...init, method, headers });
      for (const cookie of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
        if (value === '') visitor.cookies.delete(name);
        else visitor.cookies.set(name, value);
      }
      return response;
    },
    async call<T>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const response = await visitor.fetch(method, path, {
        headers: body === undefined ? headers : { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const answer = text === '' ? null : JSON.parse(text);
      checkReply(method, path, response.status, answer);
      return { status: response.status, headers: response.headers, body: answer as T };
    },
    async *events(method, path, body, headers = {}) {
      const response = await visitor.fetch(method, path, {
        headers: { Accept: 'text/event-stream', 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      if (!response.headers.get('Content-Type')?.startsWith('text/event-stream') || !response.body) {
        throw new Error(`expected events, got ${response.status} ${await response.text()}`);
      }
      yield* readEvents(response.body);
    },
    async ask(text, more = {}) {
      const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', { text, ...more });
      if (status !== 200) throw new Error(`expected an answer, got ${status} ${JSON.stringify(body)}`);
      return body;
    },
    async signUp(username, password) {
      const { body } = await visitor.call<AdminReply<string>>('POST', '/admin/register', {
        username,
        password,
      });
      visitor.token = body.data ?? '';
      return body;
    },
    async signIn(username, password) {
      const { body } = await visitor.call<SignInReply<string>>('POST', '/admin/login', {
        username,
        password,
      });
      visitor.token = body.data ?? '';
      return body;
    },
  };
  return visitor;
}

/** A visitor with a new account. */
export async function signedUp(
  url: string | (() => string),
  username: string,
  password: string,
): Promise<Visitor> {
  const visitor = createVisitor(url);
  await visitor.signUp(username, password);
  return visitor;
}

export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<SeenEvent> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s)));
      if (fields.event) {
        yield { id: Number(fields.id), event: fields.event, data: JSON.parse(fields.data) } as SeenEvent;
      }
    }
  }
}
