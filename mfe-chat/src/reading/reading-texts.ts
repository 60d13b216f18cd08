const zh = {
  question: '问题',
  answer: '回答',
  version: '第 {number} 版',
  onlyFiles: '（只发送了文件）',
  noAnswer: '（没有回答）',
  replaced: '分享之后，这个问题重新回答过。分享者更新链接后可以看到新的回答。',
  stopped: '回答已停止',
  failed: '回答中断',
  citations: '引用',
  privateCitation: '没有分享的文件',
  files: '文件',
  download: '下载 {name}',
  hiddenFiles: '{count} 个文件没有分享',
  'hiddenFiles.one': '{count} 个文件没有分享',
  answeredSince: '现在有答案了',
  person: '人工咨询',
  visitor: '访客',
  table: '表格',
  imageLink: '图片：{text}',
};
const en: typeof zh = {
  question: 'Question',
  answer: 'Answer',
  version: 'Version {number}',
  onlyFiles: '(only files were sent)',
  noAnswer: '(no answer)',
  replaced:
    'This question was answered again after it was shared. The new answer appears once the link is updated.',
  stopped: 'The answer was stopped',
  failed: 'The answer was interrupted',
  citations: 'Sources',
  privateCitation: 'A file that is not shared',
  files: 'Files',
  download: 'Download {name}',
  hiddenFiles: '{count} files are not shared',
  'hiddenFiles.one': '{count} file is not shared',
  answeredSince: 'Answered since',
  person: 'Asked a person',
  visitor: 'Visitor',
  table: 'Table',
  imageLink: 'Picture: {text}',
};

/** Texts of a conversation that can only be read. */
export const READING_TEXTS = { zh, en };
export type ReadingTexts = typeof zh;
