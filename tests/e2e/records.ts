import { randomBytes } from 'node:crypto';
import type { ChatAnswer } from '../../api/src/contract/chat.ts';
import type { Visitor } from '../../api/src/testing/visitor.ts';

interface QuestionToAsk {
  text: string;
  contact?: string;
  contactName?: string;
  /** Default: a new conversation. */
  conversationId?: string;
}

/** Maximum number of records per import request. */
const MAX_PER_REQUEST = 500;

/** Asks one question after the other by POST /api/chat; resolves with the answers. */
export async function askAs(visitor: Visitor, questions: QuestionToAsk[]): Promise<ChatAnswer[]> {
  const answers: ChatAnswer[] = [];
  for (const question of questions) {
    const { status, body } = await visitor.call<ChatAnswer>('POST', '/api/chat', question);
    if (status !== 200) throw new Error(`expected an answer, got ${status} ${JSON.stringify(body)}`);
    answers.push(body);
  }
  return answers;
}

/** Imports `count` finished records of one conversation, about five a day, newest first; every other one for the contact 张三. */
export async function importRecords(visitor: Visitor, count: number): Promise<void> {
  const conversationId = createId();
  const now = Date.now();
  const records = Array.from({ length: count }, (_, n) => {
    const createdAt = new Date(now - n * 5 * 3_600_000 - 60_000).toISOString();
    return {
      id: createId(),
      conversationId,
      contact: n % 2 ? { id: '13800138000', name: '张三' } : null,
      kind: 'chat',
      status: 'done',
      question: `第 ${n} 个问题，退款何时到账？`,
      answer: `第 ${n} 个回答：退款三天到账。`,
      citations: [],
      source: 'curated',
      isImage: false,
      url: '',
      imgUrls: [],
      files: [],
      feedback: null,
      suggestions: [],
      createdAt,
      answeredAt: createdAt,
    };
  });
  let imported = 0;
  for (let first = 0; first < count; first += MAX_PER_REQUEST) {
    const part = records.slice(first, first + MAX_PER_REQUEST);
    const at = part[0]?.createdAt ?? '';
    const { body } = await visitor.call<{ imported: number }>('POST', '/api/import', {
      format: 'consultation-desk-records',
      version: 1,
      exportedAt: at,
      conversations: [
        {
          id: conversationId,
          title: '退款',
          contact: null,
          recordCount: count,
          createdAt: at,
          updatedAt: at,
        },
      ],
      records: part,
    });
    imported += body.imported;
  }
  if (imported !== count) throw new Error(`expected ${count} imported records, got ${imported}`);
}

const createId = () => randomBytes(12).toString('hex');
