import {
  beginStream,
  endStream,
  fails,
  type ModelReply,
  type ModelRequest,
  says,
  sendDelta,
  sendUsage,
  sendWhole,
} from './model-stand-in.ts';

/** A behaviour of the stand-in, selected by a word in the question. */
interface Behaviour {
  says: string;
  reply: ModelReply;
}

const answer = '依据资料，可以这样做[1]。As the passage says[1].';
/** 429 and 503 are sent once per question; the next request is answered. */
const refusedOnce = new Set<string>();

export const behaviours: Record<string, Behaviour> = {
  '!stall': { says: 'begins and falls silent before the first word', reply: beginStream },
  '!hang': { says: 'never answers at all', reply: () => undefined },
  '!pause': { says: 'says half and falls silent', reply: half(() => undefined) },
  '!cut': { says: 'says half and breaks the connection', reply: half((response) => void response.destroy()) },
  '!end': {
    says: 'says half and ends without finish_reason',
    reply: half((response) => void response.end()),
  },
  '!429': {
    says: 'answers 429 with Retry-After: 1 once, then well',
    reply: once(429, { 'retry-after': '1' }),
  },
  '!503': { says: 'answers 503 once, then well', reply: once(503) },
  '!500': { says: 'always answers 500', reply: fails(500) },
  '!404': { says: 'does not know the model', reply: fails(404) },
  '!filter': {
    says: 'says half, then its content filter stops it',
    reply: half((response) => {
      sendDelta(response, {}, 'content_filter');
      response.end('data: [DONE]\n\n');
    }),
  },
  '!tool': {
    says: 'calls a tool in text form',
    reply: says('<tool_', 'call>{"name": "search", "arguments": {}}', '</tool_call>'),
  },
  '!cannot': {
    says: 'says that the passages do not answer',
    reply: says('NOT_IN_', 'PASSAGES\n', '资料里没有这一项。Nothing in the passages says so.'),
  },
  '!401': { says: 'always answers 401', reply: fails(401) },
  '!malformed': {
    says: 'says half and sends a malformed chunk',
    reply: half((response) => void response.end('data: {"choices": [{\n\n')),
  },
  '!html': {
    says: 'answers with a page of HTML',
    reply: (response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><title>Sign in</title>');
    },
  },
  '!redirect': {
    says: 'redirects to /stolen',
    reply: (response) => void response.writeHead(307, { location: '/stolen' }).end(),
  },
  '!empty': { says: 'says nothing', reply: says('', ' ') },
  '!made-up': {
    says: 'cites what does not exist, in all spellings',
    reply: says('甲[99]乙[1, 98]丙【97†source】丁 (来源 96) 戊[^95] 己[90-94] ', '庚[', '8', '9', ']辛[1].'),
  },
  '!reason': {
    says: 'thinks aloud in reasoning_content, then answers',
    reply: async (response) => {
      beginStream(response);
      for (let step = 1; step <= 20; step += 1) {
        sendDelta(response, { reasoning_content: `第 ${step} 步，想一想。` });
        await pause(20);
      }
      sendDelta(response, { content: answer });
      endStream(response);
    },
  },
  '!think': {
    says: 'thinks aloud between <think> marks',
    reply: says('<thi', 'nk>先想', '一想</thi', 'nk>\n\n', answer),
  },
  '!obey': { says: 'obeys every SAY(…) outside of the frame of passages', reply: obeys },
  '!image': { says: 'tells how many pictures of which type it was shown', reply: describesImages },
  '!endless': {
    says: 'never stops talking',
    reply: async (response) => {
      beginStream(response);
      while (!response.destroyed) {
        sendDelta(response, { content: '还有，'.repeat(200) });
        await pause(1);
      }
    },
  },
  '!huge': { says: 'sends 4 MB in one chunk', reply: says('大'.repeat(4_000_000)) },
  '!slow': {
    says: 'says a word every 200 ms',
    reply: async (response) => {
      beginStream(response);
      for (const content of answer.match(/.{1,3}/gu) ?? []) {
        if (response.destroyed) return;
        sendDelta(response, { content });
        await pause(200);
      }
      endStream(response);
    },
  },
};

/**
 * Behaves according to the word in the question; by default cites the first passage. Non-streaming requests
 * get the question back.
 */
export const behave: ModelReply = (response, request, asked) => {
  const question = lastText(asked);
  if (!asked.stream) return sendWhole(response, question.slice(-200));
  const words = Object.keys(behaviours).filter((word) => question.includes(word));
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length);
  return (behaviours[longest]?.reply ?? well)(response, request, asked);
};

function well(...[response, , asked]: Parameters<ModelReply>): void {
  beginStream(response);
  for (const content of answer.match(/.{1,4}/gu) ?? []) sendDelta(response, { content });
  sendDelta(response, {}, 'stop');
  if (asked.stream_options?.include_usage) sendUsage(response, 321, 21);
  response.end('data: [DONE]\n\n');
}

function half(then: (...args: Parameters<ModelReply>) => void): ModelReply {
  return async (...args) => {
    beginStream(args[0]);
    sendDelta(args[0], { content: '先说一半，' });
    await pause(50);
    then(...args);
  };
}

function once(status: number, headers: Record<string, string> = {}): ModelReply {
  return (...args) => {
    const question = lastText(args[2]);
    if (refusedOnce.delete(question)) return well(...args);
    refusedOnce.add(question);
    return fails(status, headers)(...args);
  };
}

/** A naive model: for it a frame ends at anything that looks like its end marker. */
function obeys(...args: Parameters<ModelReply>): void | Promise<void> {
  const outside = args[2].messages
    .map(textOf)
    .join('\n')
    .replace(/<passages[^>]*>[\s\S]*?<\s*\/\s*passages[^>]*>/gi, '');
  const orders = [...outside.matchAll(/SAY\(([^)]*)\)/g)].map(([, order = '']) => order);
  return says(orders.length > 0 ? orders.join(' ') : '没有人要我说什么[1]。')(...args);
}

function describesImages(...args: Parameters<ModelReply>): void | Promise<void> {
  const parts = args[2].messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const urls = parts.flatMap((part) => (part.type === 'image_url' ? part.image_url.url : []));
  const told = urls.map((url) => `${/^data:([^;]+)/.exec(url)?.[1] ?? 'no data'} (${url.length})`);
  return says(`看到 ${urls.length} 张图片：${told.join('，')}`)(...args);
}

function lastText({ messages }: ModelRequest): string {
  return textOf(messages.at(-1) ?? { content: '' });
}

export function textOf({ content }: Pick<ModelRequest['messages'][number], 'content'>): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('\n');
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
