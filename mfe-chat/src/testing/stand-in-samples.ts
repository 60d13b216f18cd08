import type { AnswerReason, Citation, Passage } from 'api/contract/answers';
import type { SourceDocument, SourceText } from 'api/contract/documents';
import type { ModelList } from 'api/contract/models';
import type { SharedConversation } from 'api/contract/sharing';

export const PASSAGE: Passage = {
  documentId: 'd1',
  title: '企业退款政策（2025 版）',
  place: '第 3 节，第 12 页',
  text: '退款申请受理后按原支付渠道退回。对公转账在 3–5 个工作日内到账，开户行须与合同一致。微信支付与支付宝在 1–3 个工作日内原路退回。',
  start: 2_000,
  end: 2_070,
};
/** The document of the passage. */
export const DOCUMENT: SourceDocument = {
  id: 'd1',
  title: PASSAGE.title,
  name: '退款政策.pdf',
  type: 'pdf',
  size: 120_000,
  pages: 24,
  length: PASSAGE.end,
  hasFile: true,
  isHandbook: false,
};
const CHAPTER = '# 第 3 节 退款\n\n';
export const DOCUMENT_TEXT: SourceText = {
  start: 0,
  end: PASSAGE.start + PASSAGE.text.length,
  text: `${'本节之前的内容。\n\n'.repeat(200).slice(0, PASSAGE.start - CHAPTER.length)}${CHAPTER}${PASSAGE.text}`,
  length: PASSAGE.start + PASSAGE.text.length,
  places: [
    { start: 0, page: 1 },
    { start: PASSAGE.start, page: 12 },
  ],
};
const QUOTE = '对公转账在 3–5 个工作日内到账，开户行须与合同一致。';
const AT = PASSAGE.start + PASSAGE.text.indexOf(QUOTE);
export const CITATIONS: Citation[] = [
  { title: PASSAGE.title, quote: QUOTE, start: AT, end: AT + QUOTE.length, href: '/api/passages/p1' },
];
export const LONG_ANSWER = `退款**已于 7 月 11 日受理**，会按原支付渠道退回，最晚 7 月 16 日到账[1]，各渠道的时间如下：

| 支付渠道 | 到账时间 | 说明 |
|---|---|---|
| 对公转账 | 3–5 个工作日 | 开户行须与合同一致 |
| 微信支付、支付宝 | 1–3 个工作日 | 原路退回 |

如果 7 月 16 日仍未到账，请依次核对：

1. 订单状态为“退款中”，而不是“待审核”；
2. 收款账号与合同备案一致[1]，户名没有空格或错字。

进度也可以用 API 查询：

\`\`\`bash
# status 为 settled 即已汇出
curl https://api.example.com/v1/refunds/RF-88213 \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`

返回的 \`status\` 变为 \`settled\`，就表示款项已经汇出。`;

export const MODELS: ModelList = {
  models: [
    { name: 'qwen-max', vision: true, isAvailable: true },
    { name: 'deepseek-r1', vision: false, isAvailable: false },
  ],
  default: 'qwen-max',
};
export const WHY: AnswerReason = {
  verdict: 'answered',
  rewritten: '企业订单怎样申请退款？，几个工作日到账',
  context: ['企业订单怎样申请退款？'],
  pair: null,
  terms: [
    { word: '退款', weight: 2.1, passages: 38 },
    { word: '到账', weight: 3.4, passages: 9 },
    { word: '企业订单', weight: 4.2, passages: 3 },
    { word: '工作日', weight: 1.6, passages: 51 },
  ],
  total: 1_385,
  candidates: 64,
  ranked: [
    {
      href: '/api/passages/p1',
      title: PASSAGE.title,
      place: PASSAGE.place,
      score: 11.2,
      coverage: 0.94,
      missing: [],
      taken: true,
    },
    {
      href: '/api/passages/p2',
      title: '个人订单退款说明',
      place: '第 1 节',
      score: 7.9,
      coverage: 0.58,
      missing: ['企业订单'],
      taken: false,
    },
  ],
};
export const THOUGHTS =
  '先看问题里的订单日期，再找企业订单的退款时限。第 3 节写的是对公转账，和这一单的支付渠道相符；微信与支付宝的时限不适用。';

export const PICTURE = `<svg xmlns="http://www.w3.org/2000/svg" width="208" height="96"><rect width="208" height="96" fill="#f7f9fa"/>
<rect width="208" height="18" fill="#28414c"/><rect y="53" width="208" height="20" fill="#fbe9a9"/></svg>`;

/** The token of the only link that the stand-in server knows. */
export const SHARED_TOKEN = 'stand-in-token-of-a-shared-conversation-000';

/** The conversation that this link shows. */
export const SHARED: SharedConversation = {
  title: '企业订单退款到账时间',
  updatedAt: '2026-11-21T02:00:00.000Z',
  records: [
    {
      question: '订单退款什么时候能到账？',
      answer: LONG_ANSWER,
      status: 'done',
      citations: [...CITATIONS.map(({ title, quote }) => ({ title, quote })), null].map((source, at) => ({
        n: at + 1,
        source,
      })),
      files: [{ id: '0-0', name: '签收单.png', kind: 'image', pages: 1 }],
      hiddenFiles: 0,
      createdAt: '2026-11-21T01:00:00.000Z',
    },
    {
      question: '',
      answer: null,
      status: 'done',
      citations: [],
      files: [],
      hiddenFiles: 2,
      createdAt: '2026-11-21T01:30:00.000Z',
    },
  ],
  next: null,
};
