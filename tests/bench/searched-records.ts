import { Types } from 'mongoose';
import type { RecordModels } from '../../api/src/records/record-models.ts';
import { recordTerms } from '../../api/src/records/search/record-terms.ts';

/** Search queries use the words of the vocabulary below, so that each finds something. */
export const OWNER = 'guest:bench-of-search';
export const CONTACTS = 200;
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAYS = 730;
const BATCH = 500;

/** Words by decreasing frequency, as in natural language: the n-th is about n times rarer than the first. */
const CHINESE =
  '怎么备份数据恢复系统订单退款发票物流客服会员密码登录注册绑定手机邮箱地址修改取消支付优惠活动积分提现账户安全升级版本网络设备安装配置导出导入报表权限角色审批流程合同签署打印扫描上传下载图片视频语音翻译文档知识检索回答引用来源时间日期节假工作';
const ENGLISH =
  'desk answer record search delete backup restore invoice refund order account password export import report'.split(
    ' ',
  );

function ofFrequency(count: number, random: () => number): number {
  return Math.min(count - 1, Math.floor(Math.exp(random() * Math.log(count + 1)) - 1));
}

function sentence(words: number, random: () => number): string {
  return Array.from({ length: words }, () => {
    if (random() < 0.15) return ` ${ENGLISH[ofFrequency(ENGLISH.length, random)]} `;
    if (random() < 0.1) return ` case${ofFrequency(50_000, random)} `;
    const at = 2 * ofFrequency(CHINESE.length / 2, random);
    return CHINESE.slice(at, at + 2);
  }).join('');
}

/** Deterministic, so that two runs search the same records. Source: mulberry32, public domain. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const SOURCES = ['curated', 'document', 'model', 'none'] as const;

/** Writes records of one owner with their terms: short questions and answers with about 40 terms each. */
export async function writeRecords(
  { records }: Pick<RecordModels, 'records'>,
  owner: string,
  count: number,
  seed: number,
  log: (line: string) => void = () => {},
): Promise<void> {
  const random = randomFrom(seed);
  const conversationId = new Types.ObjectId();
  for (let from = 0; from < count; from += BATCH) {
    const size = Math.min(BATCH, count - from);
    const batch = Array.from({ length: size }, (_, i) => {
      const contact = random() < 0.7 ? { id: contactOf(ofFrequency(CONTACTS, random)), name: '' } : null;
      const at = FIRST_DAY + ((from + i) / count) * DAYS * 86_400_000;
      const record = {
        _id: new Types.ObjectId(),
        owner,
        conversationId,
        contact,
        kind: 'chat' as const,
        status: 'done' as const,
        language: 'zh' as const,
        question: sentence(4, random),
        answer: sentence(12, random),
        citations: [],
        source: SOURCES[ofFrequency(4, random)] ?? 'none',
        feedback: null,
        createdAt: new Date(at),
        answeredAt: new Date(at + 900),
        erasedBy: null,
      };
      return { ...record, terms: recordTerms(record) };
    });
    // Bypasses mongoose, which would take longer than the store.
    await records.collection.insertMany(batch as never[], { ordered: false });
    if (from % 50_000 === 0 && from > 0) log(`${from} of ${count}`);
  }
}

export const contactOf = (number: number): string => `138${String(number).padStart(8, '0')}`;
