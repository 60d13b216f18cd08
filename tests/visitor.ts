import type { ChatAnswer, ConversationPage, DeskRecord, RecordPage } from '../api/src/contract.ts';

/** A guest who talks to the API as a browser does: keeps the cookies it was given and sends the XSRF header. */
export interface Visitor {
  post<T>(path: string, body: unknown): Promise<{ status: number; body: T }>;
  get<T>(path: string): Promise<{ status: number; body: T }>;
  ask(text: string, clientId: string): Promise<ChatAnswer>;
  /** Every record of every conversation. */
  records(): Promise<DeskRecord[]>;
}

export function createVisitor(url: () => string): Visitor {
  const cookies = new Map<string, string>();

  const call = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${url()}${path}`, {
      method,
      headers: {
        cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
        'x-xsrf-token': decodeURIComponent(cookies.get('XSRF-TOKEN') ?? ''),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = ''] = cookie.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return { status: response.status, body: await response.json() };
  };

  const visitor: Visitor = {
    post: (path, body) => call('POST', path, body),
    get: (path) => call('GET', path),
    async ask(text, clientId) {
      const answer = await visitor.post<ChatAnswer>('/api/chat', { text, clientId });
      if (answer.status !== 200)
        throw new Error(`POST /api/chat: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    },
    async records() {
      const all: DeskRecord[] = [];
      for await (const { conversations } of pages<ConversationPage>(visitor, '/api/conversations'))
        for (const { id } of conversations)
          for await (const { records } of pages<RecordPage>(visitor, `/api/conversations/${id}/records`))
            all.push(...records);
      return all;
    },
  };
  return visitor;
}

/** The pages of a list, cursor by cursor. */
async function* pages<Page extends { nextCursor: string | null }>(
  visitor: Visitor,
  path: string,
): AsyncGenerator<Page> {
  let cursor: string | null = null;
  do {
    const next: { body: Page } = await visitor.get(
      cursor ? `${path}?cursor=${encodeURIComponent(cursor)}` : path,
    );
    yield next.body;
    cursor = next.body.nextCursor;
  } while (cursor);
}
