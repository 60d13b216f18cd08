const zh = {
  conversations: '会话',
  newQuestion: '新咨询',
  openPanel: '展开会话',
  closePanel: '收起会话',
  consultation: '咨询',
  log: '对话',
  hint: '请输入以咨询问题',
  hintMore: '每个回答都附出处，可点开核对原文',
  suggestions: '可以这样问',
  starter1: '怎样提问更容易得到准确的回答？',
  starter2: '回答里的数字 [1] 是什么？',
  starter3: '访客的数据保留多久？',
  question: '问题',
  placeholder: '请输入问题',
  send: '发送',
  stop: '停止',
  keys: 'Enter 发送，Shift + Enter 换行',
  attach: '添加文件',
  tooMany: '一次最多 10 个文件，有 {count} 个没有添加',
  tooLong: '最多 8,000 字，现在 {count} 字',
};

const en: { [Key in keyof typeof zh]: string } = {
  conversations: 'Conversations',
  newQuestion: 'New question',
  openPanel: 'Show conversations',
  closePanel: 'Hide conversations',
  consultation: 'Consultation',
  log: 'Conversation',
  hint: 'Type a question to begin',
  hintMore: 'Every answer cites its sources. Open one to check it.',
  suggestions: 'Try asking',
  starter1: 'How do I ask so that the answer is accurate?',
  starter2: 'What is the number [1] in an answer?',
  starter3: "How long is a guest's data kept?",
  question: 'Question',
  placeholder: 'Your question',
  send: 'Send',
  stop: 'Stop',
  keys: 'Enter to send, Shift + Enter for a new line',
  attach: 'Add files',
  tooMany: 'Up to 10 files at a time. {count} not added.',
  tooLong: 'Up to 8,000 characters. You have {count}.',
};

export type FrameTexts = typeof zh;
/** Texts of the first chunk. */
export const FRAME_TEXTS = { zh, en };
