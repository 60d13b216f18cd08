import type { Passage } from 'api/contract/answers';
import type { Collection } from 'api/contract/collections';
import type {
  KnowledgeDocumentInfo,
  KnowledgePair,
  KnowledgeSummary,
  UnansweredQuestion,
} from 'api/contract/knowledge';

export interface Knowledge {
  isEditor: boolean;
  /** The collections besides the first one. */
  collections?: Collection[];
  guestsAsk: boolean;
  documents: KnowledgeDocumentInfo[];
  passages: Record<string, (Passage & { id: string })[]>;
  pairs: KnowledgePair[];
  unanswered: UnansweredQuestion[];
  embedded?: KnowledgeSummary['embedded'];
}

/** A document that can be cited; `part` overrides defaults. */
export function sampleDocument(part: Partial<KnowledgeDocumentInfo> = {}): KnowledgeDocumentInfo {
  return {
    id: 'd-1',
    title: '企业退款政策（2025 版）',
    name: part.isHandbook ? '' : `${part.title ?? '企业退款政策（2025 版）'}.${part.type ?? 'pdf'}`,
    type: 'pdf',
    size: 812_000,
    pages: 18,
    status: 'ready',
    progress: 1,
    passages: 64,
    cited: 412,
    error: null,
    isHandbook: false,
    createdAt: '2026-07-12T02:00:00.000Z',
    updatedAt: '2026-07-12T02:00:00.000Z',
    ...part,
  };
}

/** A curated question with its answer; `part` overrides defaults. */
export function samplePair(part: Partial<KnowledgePair> = {}): KnowledgePair {
  return {
    id: 'p-1',
    question: '退款之前必须先把专票冲红吗？',
    variants: ['开了专票的退款怎么办'],
    answer: '需要。销货方开具 **红字发票** 后，财务才会放款。',
    hits: 126,
    isHandbook: false,
    createdAt: '2026-07-01T02:00:00.000Z',
    updatedAt: '2026-07-01T02:00:00.000Z',
    ...part,
  };
}

function sampleUnanswered(part: Partial<UnansweredQuestion> = {}): UnansweredQuestion {
  return {
    id: 'u-1',
    question: '定制商品能不能退款？',
    count: 14,
    notFound: 12,
    notHelpful: 2,
    lastAskedAt: '2026-07-14T02:00:00.000Z',
    alike: ['定做的东西可以退吗', '刻字的商品能退款么'],
    collections: ['everyone'],
    ...part,
  };
}

const TEXT =
  '申请退款前，请先核对订单状态。已发货的订单须先退回商品；仓库签收后，系统自动发起退款。\n退款自受理之日起 3 至 5 个工作日内汇出。';

/** A small knowledge base: documents in every state, and `unanswered` questions without an answer. */
export function sampleKnowledge({ isEditor = true, unanswered = 7 } = {}): Knowledge {
  const documents = [
    sampleDocument(),
    sampleDocument({
      id: 'd-2',
      title: '开放平台 API 手册',
      name: 'api-v3.2.md',
      type: 'markdown',
      pages: 0,
      size: 182_400,
      passages: 210,
      cited: 287,
      updatedAt: '2026-07-09T02:00:00.000Z',
    }),
    sampleDocument({
      id: 'd-3',
      title: '配送与签收规则',
      pages: 43,
      status: 'indexing',
      progress: 0.1,
      passages: 38,
      cited: 0,
      updatedAt: new Date().toISOString(),
    }),
    sampleDocument({
      id: 'd-4',
      title: '发票与冲红指南',
      type: 'docx',
      pages: 26,
      passages: 97,
      cited: 195,
      updatedAt: '2026-06-30T02:00:00.000Z',
    }),
    sampleDocument({
      id: 'd-5',
      title: '客服话术汇编',
      type: 'docx',
      pages: 0,
      size: 1_200_000,
      status: 'failed',
      passages: 0,
      cited: 0,
      error: '文件有密码，打不开',
      updatedAt: '2026-06-28T02:00:00.000Z',
    }),
    ...Array.from({ length: 31 }, (_, index) =>
      sampleDocument({
        id: `h-${index}`,
        title: ['开始使用', '提问', '引用与原文', '搜索记录'][index % 4] ?? '',
        type: 'markdown',
        size: 0,
        pages: 0,
        passages: 12,
        cited: 40 - index,
        isHandbook: true,
        updatedAt: '2026-05-01T02:00:00.000Z',
      }),
    ),
  ];
  const asked = [
    '改派到公司前台是否收费？',
    '对公转账的退款多久到账？',
    'Webhook 失败后多久重试？',
    '怎样删除会话？',
  ];
  return {
    isEditor,
    guestsAsk: true,
    documents,
    passages: Object.fromEntries(
      documents.map(({ id }) => [
        id,
        Array.from({ length: 40 }, (_, index) => ({
          id: `${id}-${index}`,
          documentId: id,
          title: id,
          text: TEXT,
          start: index * 100,
          end: index * 100 + TEXT.length,
          place: `第 ${Math.floor(index / 4) + 1} 章 > ${index + 1} 节`,
          ...(index === 1 ? { columns: '| 方式 | 到账 |' } : {}),
        })),
      ]),
    ),
    pairs: [
      samplePair(),
      ...asked.map((question, index) =>
        samplePair({
          id: `p-${index + 2}`,
          question,
          variants: [],
          answer: '按次收 8 元，当日 18:00 前可免费取消。',
          hits: 83 - index * 12,
          isHandbook: index === 3,
        }),
      ),
    ],
    unanswered: Array.from({ length: unanswered }, (_, index) =>
      sampleUnanswered({
        id: `u-${index + 1}`,
        ...(index > 0 && { question: `第 ${index} 个没有答上的问题，夜间配送能不能改派？`, alike: [] }),
        count: Math.max(1, 14 - index * 2),
        ...(index > 0 && { notFound: Math.max(1, 14 - index * 2), notHelpful: 0 }),
      }),
    ),
  };
}
