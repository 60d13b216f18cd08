import type { Handover, InboxDetail } from 'api/contract/handover';

/** A request that waits for 20 minutes, as the API describes it to an editor; parts override defaults. */
export function sampleHandover(
  part: Partial<Handover> = {},
  detail: Partial<Omit<InboxDetail, 'handover'>> = {},
): InboxDetail {
  const createdAt = new Date(Date.now() - 20 * 60_000).toISOString();
  const handover: Handover = {
    id: 'h-1',
    conversationId: 'c-1',
    recordId: 'r-1',
    question: '发票抬头开错了，能重开吗？',
    contactDetails: '张三 13800138000',
    state: 'waiting',
    agent: null,
    messages: [],
    createdAt,
    updatedAt: createdAt,
    ...part,
  };
  return {
    handover,
    agent: handover.agent,
    isMine: false,
    pairId: null,
    mayAddPair: true,
    records: [
      {
        question: '发票抬头怎么改？',
        answer: '在开票前可以在 **订单详情** 里改。',
        source: 'document',
        createdAt,
      },
    ],
    ...detail,
  };
}

/** Requests in every state. */
export function sampleInbox(): InboxDetail[] {
  const message = (id: string, from: 'visitor' | 'agent', text: string) => ({
    id,
    from,
    name: from === 'agent' ? 'anna' : '',
    text,
    createdAt: new Date(Date.now() - 5 * 60_000).toISOString(),
  });
  return [
    sampleHandover(),
    sampleHandover(
      {
        id: 'h-2',
        question: '对公转账的退款多久到账？',
        contactDetails: 'dev@northwind.cn',
        state: 'assigned',
        agent: 'anna',
        messages: [message('m-1', 'agent', '请告诉我订单号。'), message('m-2', 'visitor', 'A1024')],
      },
      { isMine: true },
    ),
    sampleHandover({ id: 'h-3', question: '改派到前台收费吗？', state: 'assigned', agent: '李工' }),
    sampleHandover(
      {
        id: 'h-4',
        question: '定制商品能不能退款？',
        contactDetails: '',
        state: 'answered',
        agent: 'anna',
        messages: [message('m-3', 'agent', '刻字的不能退，质量问题除外。')],
      },
      { isMine: true },
    ),
    sampleHandover({ id: 'h-5', question: '怎样合并发票？', state: 'closed', agent: '李工' }),
  ];
}
