import type { Translate } from 'host/contract';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useChat } from '../shared/chat-context.ts';

const zh = {
  title: '转人工',
  intro: '您的问题会交给同事回答，回复会出现在这个会话里。',
  question: '您的问题',
  questionMissing: '请写下您的问题',
  questionTooLong: '最多 8,000 字，现在 {count} 字',
  contactDetails: '联系方式（可不填）',
  contactHint: '例如电话或邮箱，只有回答的同事能看到',
  contactTooLong: '最多 200 字，现在 {count} 字',
  minutes: '通常在 {count} 分钟内回复',
  hours: '通常在 {count} 小时内回复',
  soon: '我们会尽快回复',
  cancel: '取消',
  close: '关闭',
  ask: '提交给人工',
  asking: '正在提交',
  asked: '已转人工，回复会出现在这个会话里',
  askedBefore: '这个会话已经转人工，您写的内容在输入框里',

  thread: '人工会话',
  notify: '有回复时通知我',
  waiting: '等待同事接手',
  assigned: '{name} 正在处理',
  answered: '{name} 已回复',
  answeredByPerson: '已回复',
  closed: '已结束',
  me: '我',
  person: '人工',
  contactShown: '联系方式：{details}',
  closedHint: '还有问题可以再次转人工。',
  unsent: '这段话没有发出：',
  askAgain: '用这段话再次转人工',

  end: '结束人工会话',
  endShort: '结束',
  ended: '人工会话已结束',
};

const en: { [Key in keyof typeof zh]: string } = {
  title: 'Ask a person',
  intro: 'A person will answer your question. The reply appears in this conversation.',
  question: 'Your question',
  questionMissing: 'Enter your question',
  questionTooLong: 'Up to 8,000 characters. You have {count}.',
  contactDetails: 'Contact details (optional)',
  contactHint: 'For example a phone number or an email address. Only the people who answer can see it.',
  contactTooLong: 'Up to 200 characters. You have {count}.',
  minutes: 'Usually answered within {count minute|minutes}',
  hours: 'Usually answered within {count hour|hours}',
  soon: "We'll reply as soon as possible",
  cancel: 'Cancel',
  close: 'Close',
  ask: 'Send to a person',
  asking: 'Sending',
  asked: 'Sent to a person. The reply will appear in this conversation.',
  askedBefore: 'A person was already asked in this conversation. Your text is in the text field.',

  thread: 'Talk to a person',
  notify: 'Notify me of replies',
  waiting: 'Waiting for a person',
  assigned: '{name} is on it',
  answered: '{name} replied',
  answeredByPerson: 'Answered',
  closed: 'Closed',
  me: 'Me',
  person: 'Person',
  contactShown: 'Contact details: {details}',
  closedHint: 'You can ask a person again at any time.',
  unsent: 'This message was not sent:',
  askAgain: 'Ask a person again with this text',

  end: 'Close this thread',
  endShort: 'Close',
  ended: 'The thread is closed',
};

const TEXTS = { zh, en };

export type HandoverTranslate = Translate<typeof zh>;

/** The texts of this folder in the current language. */
export function useHandoverTexts(): HandoverTranslate {
  return useTranslate(useChat().services.i18n, TEXTS);
}
