const zh = {
  title: '分享会话',
  about: '拿到链接的人不用登录就能阅读：问题、回答和引用的原文。看不到联系人、评价和您的账号。',
  snapshot:
    '内容固定在创建链接的时候：之后的提问和重新回答不会出现，除非您更新内容。删除的记录会立即从链接中消失。',
  files: '同时分享提问时发送的文件',
  filesHint: '不勾选时，文件和从文件引用的原文都不显示；回答里写到的内容仍会显示。',
  versions: '同时分享修改前的问题和其他版本的回答',
  versionsHint: '不勾选时，每个问题只分享现在显示的那个版本。',
  create: '创建链接',
  link: '链接',
  copy: '复制链接',
  copied: '已复制链接',
  copyFailed: '浏览器不允许复制，请手动选中后复制',
  state: '创建于 {created}，内容截至 {updated}，共 {count} 条',
  'state.one': '创建于 {created}，内容截至 {updated}，共 {count} 条',
  unknown: '链接只在创建它的浏览器里显示。需要时可以换一个新链接，原来的会立即失效。',
  update: '更新内容',
  updated: '链接的内容已更新',
  replace: '换新链接',
  replaced: '已换新链接，原来的链接已失效',
  created: '链接已创建',
  revoke: '撤销链接',
  revoked: '链接已失效',
  loading: '正在读取',
  retry: '重试',
  failed: '暂时读不到分享状态',
  close: '关闭',
};
const en: typeof zh = {
  title: 'Share conversation',
  about:
    'Anyone with the link can read it without signing in: questions, answers and quoted sources. Contacts, ratings and your account are not shown.',
  snapshot:
    'The content is fixed when the link is created: later questions and new answers appear only when you update it. Deleted records disappear from it at once.',
  files: 'Also share the files sent with questions',
  filesHint:
    'Otherwise neither files nor quotes from them are shown. What an answer says about them is still visible.',
  versions: 'Also share earlier questions and other versions of answers',
  versionsHint: 'Otherwise only the version that is shown now is shared of each question.',
  create: 'Create link',
  link: 'Link',
  copy: 'Copy link',
  copied: 'Link copied',
  copyFailed: "The browser doesn't allow copying. Please select the link and copy it.",
  state: 'Created {created}, content as of {updated}, {count} records',
  'state.one': 'Created {created}, content as of {updated}, {count} record',
  unknown:
    'The link is only shown in the browser that created it. You can create a new one; the old one then stops working.',
  update: 'Update content',
  updated: 'The content of the link was updated',
  replace: 'New link',
  replaced: 'A new link was created. The old one no longer works.',
  created: 'Link created',
  revoke: 'Revoke link',
  revoked: 'The link no longer works',
  loading: 'Loading',
  retry: 'Try again',
  failed: "The state can't be loaded right now",
  close: 'Close',
};

/** Texts of the dialog that shares a conversation. */
export const SHARE_TEXTS = { zh, en };
