import type { AnswerSource } from 'api/contract/answers';
import type { DeskRecord } from 'api/contract/records';

/** A complete record; `part` overrides defaults. */
export function sampleRecord(part: Partial<DeskRecord> = {}): DeskRecord {
  return {
    id: 'r-1',
    conversationId: 'c-1',
    contact: null,
    kind: 'chat',
    status: 'done',
    question: '退款多久到账？',
    answer: '受理后 **3 至 5 个工作日**到账 [1]。',
    citations: [
      {
        title: '退款政策',
        quote: '自受理之日起 3 至 5 个工作日',
        start: 110,
        end: 126,
        href: '/api/passages/p-1',
      },
    ],
    source: 'document',
    isImage: false,
    url: '',
    imgUrls: [],
    files: [],
    feedback: null,
    suggestions: [],
    model: '',
    reasoning: '',
    answeredSince: null,
    createdAt: '2026-11-20T09:38:00.000Z',
    answeredAt: '2026-11-20T09:38:01.800Z',
    ...part,
  };
}

const SOURCES: AnswerSource[] = ['document', 'curated', 'document', 'model', 'none'];
const QUESTIONS = [
  '7 月 10 日申请的退款还没到账，什么时候能到？',
  '改派到公司前台后，运费会退款吗？',
  '部分退款（partial refund）的 API 怎么调用？',
  '满减券在退款以后还能再用吗？',
  '定制商品能不能退款？',
];
const PEOPLE = [null, { id: '13800138000', name: '张三' }, { id: 'dev@northwind.cn', name: '' }];

/** `count` records, newest first, about five per day back from `until`. */
export function sampleRecords(count: number, until: Date): DeskRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const source = SOURCES[index % SOURCES.length] ?? 'none';
    const asked = new Date(until.valueOf() - index * 4.7 * 3_600_000 - (index % 3) * 600_000);
    return sampleRecord({
      id: `r-${index}`,
      conversationId: `c-${Math.floor(index / 3)}`,
      question: QUESTIONS[index % QUESTIONS.length] ?? '',
      contact: PEOPLE[index % PEOPLE.length] ?? null,
      source,
      ...(source === 'none'
        ? { answer: '知识库里没有足够的依据。', citations: [], suggestions: QUESTIONS.slice(0, 3) }
        : {}),
      createdAt: asked.toISOString(),
      answeredAt: new Date(asked.valueOf() + 900 + (index % 7) * 400).toISOString(),
    });
  });
}
