import type { Translate } from 'host/contract';
import { NOTICE_TEXTS } from 'host/ui/reading-notices/notice-texts.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useChat } from '../shared/chat-context.ts';

const zh = {
  ...NOTICE_TEXTS.zh,
  title: '为什么这样回答',
  close: '关闭',
  loading: '正在读取依据',
  retry: '再试一次',
  unknown: '这条回答没有留下依据',
  verdictCurated: '编辑者写好的问答里有这个问题，直接用了它的回答。',
  verdictAnswered: '在资料里找到了足够的依据。',
  verdictWeak: '资料里只说到一部分，依据不够充分。',
  verdictNothing: '资料里没有足够的依据，所以没有作答。',
  incomplete: '没有读全的资料',
  context: '结合您之前的问题一起查找',
  rewritten: '结合对话，按这个意思查找',
  pair: '相符的问答',
  similarity: '相似度 {percent}%',
  terms: '查找了这些词',
  termsHint: '越少见的词越重要',
  inPassages: '{count} 段提到，共 {total} 段',
  inNone: '没有一段提到',
  passages: '考虑过的资料',
  lookedAt: '一共比较了 {count} 段，下面是最接近的 {shown} 段',
  taken: '已采用',
  notTaken: '未采用',
  coverage: '覆盖问题的 {percent}%',
  missing: '没有提到：{words}',
  missesNothing: '问题里的词都提到了',
  comma: '、',
};

const en: { [Key in keyof typeof zh]: string } = {
  ...NOTICE_TEXTS.en,
  title: 'Why this answer?',
  close: 'Close',
  loading: 'Loading the details',
  retry: 'Try again',
  unknown: 'No details were saved for this answer',
  verdictCurated: 'A curated answer matches this question and was used as it is.',
  verdictAnswered: 'The knowledge base has enough information about this.',
  verdictWeak: 'The knowledge base covers only part of this.',
  verdictNothing: "The knowledge base doesn't cover this, so there is no answer.",
  incomplete: 'Sources that were not read completely',
  context: 'Searched together with your earlier question',
  rewritten: 'Understood from the conversation as',
  pair: 'Matching curated question',
  similarity: '{percent}% similar',
  terms: 'Words searched for',
  termsHint: 'Rarer words count more',
  inPassages: 'in {count} of {total} passages',
  inNone: 'in no passage',
  passages: 'Sources considered',
  lookedAt: '{count} passages compared. The closest {shown}:',
  taken: 'Used',
  notTaken: 'Not used',
  coverage: 'Covers {percent}% of the question',
  missing: "Doesn't mention: {words}",
  missesNothing: 'Mentions every word of the question',
  comma: ', ',
};

export type ReasonTextKey = keyof typeof zh;

const TEXTS = { zh, en };

/** The texts of the dialog in the current language. */
export function useReasonTexts(): Translate<typeof zh> {
  return useTranslate(useChat().services.i18n, TEXTS);
}
