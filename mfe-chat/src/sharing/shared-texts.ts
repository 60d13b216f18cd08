const zh = {
  title: '分享的会话',
  about: '这是别人分享的会话，只能阅读。内容截至 {date}。',
  gone: '这个链接不再可用',
  goneHint: '分享者可能已撤销链接，或链接不完整。',
  toDesk: '去咨询台',
  failed: '暂时打不开这个会话',
  retry: '重试',
  loading: '正在加载',
  more: '显示更多',
};
const en: typeof zh = {
  title: 'Shared conversation',
  about: 'Someone shared this conversation with you. You can only read it. Content as of {date}.',
  gone: 'This link is no longer available',
  goneHint: 'Its owner may have revoked it, or the link is incomplete.',
  toDesk: 'Open the desk',
  failed: "This conversation can't be opened right now",
  retry: 'Try again',
  loading: 'Loading',
  more: 'Show more',
};

/** Texts of the screen that shows a shared conversation. */
export const SHARED_TEXTS = { zh, en };
