import type { ChatQuestion } from 'api/contract/chat';
import type { ContactSearch } from 'api/contract/contacts';
import type { Contact, Conversation, DeskRecord, RecordFile, VersionOf } from 'api/contract/records';
import type { FeedbackRequest, Highlight, SearchRequest } from 'api/contract/search';
import type { Share, SharedRequest, ShareRequest } from 'api/contract/sharing';
import { type Answer, type Call, failure } from 'host/stand-ins';
import { createEventSource, type EventSourceEnd } from './event-source.ts';
import { receiveFiles } from './receive-files.ts';
import { conversation, pageOf, record } from './samples.ts';
import { createStandInHandovers } from './stand-in-handovers.ts';
import {
  CITATIONS,
  DOCUMENT,
  DOCUMENT_TEXT,
  LONG_ANSWER,
  MODELS,
  PASSAGE,
  PICTURE,
  SHARED,
  SHARED_TOKEN,
  THOUGHTS,
  WHY,
} from './stand-in-samples.ts';

/** Number of characters in each chunk of an answer. */
const PIECE_SIZE = 6;

interface Options {
  /** Milliseconds between two chunks of an answer. */
  pace?: number;
  /** Number of records in the oldest conversation. */
  longConversation?: number;
}

/** An in-memory server that answers every question, for the standalone page and for measurements. */
export function createStandInServer({ pace = 30, longConversation = 30 }: Options = {}): Answer {
  const now = Date.now();
  const conversations: Conversation[] = [];
  const records = new Map<string, DeskRecord>();
  const running = new Map<string, { stop(): void; readers: Set<EventSourceEnd> }>();
  /** Most recently used first. */
  const contacts: Contact[] = [
    { id: '13800138000', name: '张三' },
    { id: 'dev@northwind.cn', name: '' },
  ];
  let count = 0;

  const startConversation = (title: string, at: number) => {
    const time = new Date(at).toISOString();
    count += 1;
    const one = conversation(`c${count}`, { title, recordCount: 0, createdAt: time, updatedAt: time });
    conversations.push(one);
    return one;
  };
  const add = (conversationId: string, question: string, at: number, fields: Partial<DeskRecord> = {}) => {
    count += 1;
    const added = record(`r${count}`, {
      conversationId,
      question,
      answer: LONG_ANSWER,
      citations: CITATIONS,
      createdAt: new Date(at).toISOString(),
      answeredAt: new Date(at + 2000).toISOString(),
      ...fields,
    });
    records.set(added.id, added);
    return added;
  };

  const minute = 60_000;
  const refund = startConversation('企业订单退款到账时间', now - 5 * minute);
  add(
    refund.id,
    '订单 SO-20250710-0193 在 7 月 10 日申请了退款，客户说还没到账。什么时候能到？',
    now - 6 * minute,
  );
  add(refund.id, '这几份材料说的是同一件事吗？', now - 5.5 * minute, {
    kind: 'predict',
    source: 'model',
    model: 'qwen-max',
    reasoning: THOUGHTS,
    isImage: true,
    url: '/api/files/f2',
    imgUrls: ['/api/files/f2', '/api/files/f3', '/api/files/f4'],
    files: [
      file('f2', '发票正面.png', 'image', 1),
      file('f3', '发票背面.png', 'image', 1),
      file('f4', '签收单.png', 'image', 1),
      file('f5', '企业采购合同（2025 年修订版，含全部附件）.pdf', 'pdf', 42),
      file('f6', '寄送清单.csv', 'csv', 1),
    ],
  });
  add(refund.id, '客户发来了银行流水，是不是高亮的这一笔？', now - 5 * minute, {
    answer: '对账单可以按月导出，每个门店一张表，其中',
    status: 'stopped',
    source: 'model',
    citations: [],
    isImage: true,
    url: '/api/files/f1',
    imgUrls: ['/api/files/f1'],
  });
  add(refund.id, '定制商品能退吗？', now - 4 * minute, {
    answer: '知识库里没有足够的依据。您可以先看看这几个相近的：',
    source: 'none',
    citations: [],
    suggestions: ['定制商品有质量问题怎么办？', '无理由退货不包括哪些商品？', '发货前能取消定制订单吗？'],
    answeredSince: {
      pairId: 'pair1',
      answer: '定制商品**不支持**无理由退货；有质量问题的，签收后 7 天内可以退换。',
      at: new Date(now - 2 * minute).toISOString(),
    },
  });
  for (const [index, title] of [
    '增值税专票换开',
    'API 签名校验失败',
    '生鲜到货破损如何理赔',
    '年度对账单导出',
  ].entries())
    add(
      startConversation(title, now - (index + 1) * 14 * 60 * minute).id,
      title,
      now - (index + 1) * 14 * 60 * minute,
    );
  const long = startConversation('很长的会话', now - 40 * 24 * 60 * minute);
  for (let index = 0; index < longConversation; index += 1)
    add(long.id, `第 ${index + 1} 个问题：退款几天能到账？`, now - (40 * 24 * 60 - index) * minute);

  const run = (record: DeskRecord, chosen: string) => {
    const model = chosen || MODELS.default;
    const isThinking = model !== 'none';
    const full = LONG_ANSWER;
    let thought = 0;
    const readers = new Set<EventSourceEnd>();
    let at = record.answer.length;
    const finish = (status: 'done' | 'stopped') => {
      clearInterval(timer);
      running.delete(record.id);
      Object.assign(record, {
        status,
        source: isThinking ? 'model' : 'document',
        model: isThinking ? model : '',
        citations: CITATIONS,
        answeredAt: new Date().toISOString(),
      });
      for (const reader of readers) sendDone(reader, record);
    };
    const timer = setInterval(() => {
      if (isThinking && thought < THOUGHTS.length) {
        const text = THOUGHTS.slice(thought, thought + PIECE_SIZE);
        thought += text.length;
        record.reasoning += text;
        for (const reader of readers) reader.send('reasoning', { text }, at);
        return;
      }
      const text = full.slice(at, at + PIECE_SIZE);
      at += text.length;
      record.answer += text;
      for (const reader of readers) reader.send('delta', { text }, at);
      if (at >= full.length) finish('done');
    }, pace);
    running.set(record.id, { readers, stop: () => finish('stopped') });
  };
  const sendDone = (reader: EventSourceEnd, record: DeskRecord) => {
    const { id, conversationId, answer, citations, source, suggestions, model } = record;
    const status = record.status === 'answering' ? 'done' : record.status;
    reader.send(
      'done',
      { response: answer, recordId: id, conversationId, citations, source, status, suggestions, model },
      answer.length,
    );
    reader.end();
  };
  const listen = (record: DeskRecord, from: number, clientId: string | null, signal?: AbortSignal) => {
    const reader = createEventSource();
    reader.send('record', { ...record, recordId: record.id, clientId }, 0);
    if (record.reasoning) reader.send('reasoning', { text: record.reasoning }, from);
    if (record.answer.length > from)
      reader.send('delta', { text: record.answer.slice(from) }, record.answer.length);
    const live = running.get(record.id);
    if (!live) sendDone(reader, record);
    live?.readers.add(reader);
    signal?.addEventListener('abort', () => live?.readers.delete(reader));
    return reader.stream;
  };

  const predict = async (call: Call) => {
    const { files, field, send, text } = await receiveFiles(call, pace);
    const question = field('text');
    const title = question || (files[0]?.name ?? '');
    const at =
      conversations.find(({ id }) => id === field('conversationId')) ?? startConversation(title, Date.now());
    const stored = files.map((one) => {
      count += 1;
      blobs.set(`f${count}`, one);
      return file(`f${count}`, one.name, one.type.startsWith('image/') ? 'image' : 'pdf', 40);
    });
    const imgUrls = stored.flatMap(({ kind, url }) => (kind === 'image' ? [url] : []));
    const fields = { isImage: imgUrls.length > 0, url: imgUrls[0] ?? '', imgUrls, files: stored };
    const blank = { answer: '', status: 'answering' as const, citations: [] };
    const record = add(at.id, question, Date.now(), { ...blank, kind: 'predict', ...fields });
    run(record, field('model'));
    send('record', { ...record, recordId: record.id, clientId: field('clientId') });
    return text();
  };
  const blobs = new Map<string, Blob>();
  const shares = new Map<string, Share>();

  const handovers = createStandInHandovers({
    replyAfter: pace * 200,
    conversationOf({ conversationId, question }) {
      const known = conversations.find(({ id }) => id === conversationId);
      if (known) return known;
      const started = startConversation(question, Date.now());
      const fields = { answer: '您选择了转人工。', source: 'none' as const, citations: [] };
      add(started.id, question, Date.now(), fields);
      return started;
    },
  });

  const routes: Record<string, (call: Call, id: string) => unknown> = {
    'GET /api/conversations': ({ params }) => {
      const isArchived = params.archived === 1;
      const all = conversations.filter(({ archived = false }) => archived === isArchived);
      const listed = byTime(all, 'updatedAt').toSorted(
        (a, b) => Number(b.pinned ?? false) - Number(a.pinned ?? false),
      );
      return {
        ...pageOf('conversations', listed, params),
        hasArchived: conversations.some(({ archived }) => archived),
      };
    },
    'GET /api/conversations/:id/records': ({ params }, id) => {
      found(conversations.find((one) => one.id === id));
      const own = [...records.values()].filter((record) => record.conversationId === id);
      return pageOf('records', byTime(own, 'createdAt'), params);
    },
    'PATCH /api/conversations/:id': ({ body }, id) =>
      Object.assign(found(conversations.find((one) => one.id === id)), body),
    'GET /api/conversations/:id/share': (_, id) => ({
      share: shares.get(id) ?? null,
      hasFiles: true,
      hasVersions: true,
    }),
    'POST /api/conversations/:id/share': ({ body }, id) => {
      const share = shareOf(body as ShareRequest);
      shares.set(id, share);
      return { ...share, token: SHARED_TOKEN };
    },
    'PATCH /api/conversations/:id/share': ({ body }, id) => {
      const share = { ...shareOf(body as ShareRequest), createdAt: found(shares.get(id)).createdAt };
      shares.set(id, share);
      return share;
    },
    'DELETE /api/conversations/:id/share': (_, id) => void shares.delete(id),
    'GET /api/conversations/:id/export': () => new Blob(['# export\n'], { type: 'text/markdown' }),
    'POST /api/shared': ({ body }) => {
      if ((body as SharedRequest).token !== SHARED_TOKEN) throw failure(404, 'not_found', '这个链接不再可用');
      return SHARED;
    },
    'POST /api/shared/file': () => new Blob([PICTURE], { type: 'image/svg+xml' }),
    'DELETE /api/conversations/:id': (_, id) => {
      conversations.splice(conversations.indexOf(found(conversations.find((one) => one.id === id))), 1);
      return { matched: 3, deleted: 3, undoToken: `undo-${id}`, undoUntil: new Date().toISOString() };
    },
    'POST /api/chat': ({ body, signal }) => {
      const {
        text,
        conversationId,
        clientId = null,
        contact = '',
        contactName = '',
        model = '',
        versionOf,
      } = body as ChatQuestion;
      const earlier = versionOf === undefined ? undefined : found(records.get(versionOf));
      const contactOfQuestion = contact
        ? contactFor(contacts, contact, contactName)
        : (earlier?.contact ?? null);
      const conversation =
        conversations.find(({ id }) => id === conversationId) ?? startConversation(text, Date.now());
      Object.assign(conversation, { updatedAt: new Date().toISOString(), contact: contactOfQuestion });
      const record = add(conversation.id, text, Date.now(), {
        answer: '',
        status: 'answering',
        citations: [],
        contact: contactOfQuestion,
        ...(earlier ? { versionOf: nextVersion(earlier, [...records.values()]) } : {}),
      });
      run(record, model);
      return listen(record, 0, clientId, signal);
    },
    'POST /api/chat/:id/retry': ({ signal }, id) => {
      const record = found(records.get(id));
      Object.assign(record, {
        answer: '',
        status: 'answering',
        citations: [],
        suggestions: [],
        reasoning: '',
      });
      run(record, record.model);
      return listen(record, 0, null, signal);
    },
    'POST /api/chat/:id/stop': (_, id) => running.get(id)?.stop(),
    'GET /api/chat/:id': ({ headers, signal }, id) =>
      listen(found(records.get(id)), Number(headers['Last-Event-ID'] ?? 0), null, signal),
    'POST /api/contacts/search': ({ body }) => {
      const { q = '', ...page } = body as ContactSearch;
      const fits = ({ id, name }: Contact) => `${id} ${name}`.includes(q);
      return pageOf('contacts', contacts.filter(fits), { ...page });
    },
    'POST /api/feedback': ({ body }) => {
      const { recordId, rating, note = '' } = body as FeedbackRequest;
      found(records.get(recordId)).feedback = rating === 0 ? null : { rating, note };
      return { recordId, rating };
    },
    'POST /api/search': ({ body }) => {
      const { text = '', ...page } = body as SearchRequest;
      const hits = byTime([...records.values()], 'createdAt')
        .map((record) => ({ ...record, highlights: highlightsOf(record, text) }))
        .filter(({ highlights }) => highlights.length > 0);
      return { ...pageOf('records', hits, { ...page }), total: hits.length, totalIsMore: false };
    },
    'GET /api/passages/:id': () => PASSAGE,
    'GET /api/documents/:id': () => DOCUMENT,
    'GET /api/documents/:id/text': () => DOCUMENT_TEXT,
    'GET /api/documents/:id/file': () => new Blob([PICTURE]),
    'GET /api/files/:id': (_, id) => blobs.get(id) ?? new Blob([PICTURE], { type: 'image/svg+xml' }),
    'POST /api/predict': predict,
    'GET /api/models': () => MODELS,
    'GET /api/starters': () => ({ starters: ['退款几天到账？', '发票怎样重开？', '怎样修改收货地址？'] }),
    'GET /api/records/:id/why': () => WHY,
    ...handovers,
  };
  return (call) => {
    const id =
      /^\/api\/(?:conversations|chat|passages|documents|files|records|handovers(?!\/e))\/([^/]+)/.exec(
        call.url,
      )?.[1] ?? '';
    const route = routes[`${call.method} ${id ? call.url.replace(id, ':id') : call.url}`];
    if (!route) throw failure(404, 'not_found', '没有这个地址');
    return route(call, id);
  };
}

/** An existing contact by id or name, or a new one, which becomes the most recently used. */
function contactFor(contacts: Contact[], written: string, name: string): Contact {
  const at = contacts.findIndex((one) => one.id === written || one.name === written);
  const [known] = at < 0 ? [] : contacts.splice(at, 1);
  const contactOfQuestion = { id: known?.id ?? written, name: name || (known?.name ?? '') };
  contacts.unshift(contactOfQuestion);
  return contactOfQuestion;
}

function nextVersion(earlier: DeskRecord, records: readonly DeskRecord[]): VersionOf {
  const { versionOf } = earlier;
  const recordId = versionOf?.recordId ?? earlier.id;
  const later = records.filter((one) => one.versionOf?.recordId === recordId);
  return { recordId, createdAt: versionOf?.createdAt ?? earlier.createdAt, number: later.length + 2 };
}

function highlightsOf(record: DeskRecord, text: string): Highlight[] {
  return (['question', 'answer'] as const).flatMap((field) => {
    const start = record[field].indexOf(text);
    return start < 0 ? [] : [{ field, start, end: start + text.length }];
  });
}

function file(id: string, name: string, kind: string, pages: number): RecordFile {
  return { id, name, kind, chars: 1_200, pages, url: `/api/files/${id}` };
}

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw failure(404, 'not_found', '没有找到');
  return thing;
}

function byTime<K extends string, T extends Record<K, string>>(things: readonly T[], key: K): T[] {
  return things.toSorted((a, b) => b[key].localeCompare(a[key]));
}

function shareOf({ files = false, versions = false, days }: ShareRequest): Share {
  const now = new Date().toISOString();
  return { files, versions, recordCount: 4, createdAt: now, updatedAt: now, expiresAt: daysFrom(now, days) };
}

function daysFrom(time: string, days: number | null = null): string | null {
  return days === null ? null : new Date(Date.parse(time) + days * 86_400_000).toISOString();
}
