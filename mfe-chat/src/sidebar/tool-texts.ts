import type { Translate } from 'host/contract';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useChat } from '../shared/chat-context.ts';

const zh = {
  pin: '置顶',
  unpin: '取消置顶',
  pinnedNow: '已置顶',
  unpinnedNow: '已取消置顶',
  archive: '归档',
  unarchive: '移出归档',
  archivedNow: '已归档，在列表末尾的“已归档”里',
  unarchivedNow: '已移出归档',
  share: '分享…',
  exportMarkdown: '导出 Markdown',
  exportPdf: '导出 PDF',
  print: '打印',
  preparingPdf: '正在生成 PDF，完成后会自动下载',
  preparingPrint: '正在准备打印',
  allConversations: '全部会话',
  archivedList: '已归档的会话',
  noArchived: '没有归档的会话',
  noArchivedHint: '归档的会话会收在这里，仍可搜索和继续提问',
};
const en: typeof zh = {
  pin: 'Pin',
  unpin: 'Unpin',
  pinnedNow: 'Pinned',
  unpinnedNow: 'Unpinned',
  archive: 'Archive',
  unarchive: 'Remove from archive',
  archivedNow: 'Archived. You can find it under "Archived" at the end of the list.',
  unarchivedNow: 'Removed from the archive',
  share: 'Share…',
  exportMarkdown: 'Export as Markdown',
  exportPdf: 'Export as PDF',
  print: 'Print',
  preparingPdf: 'Creating the PDF. It will be downloaded when ready.',
  preparingPrint: 'Preparing to print',
  allConversations: 'All conversations',
  archivedList: 'Archived conversations',
  noArchived: 'No archived conversations',
  noArchivedHint: 'Archived conversations are stored here. You can still search and continue them.',
};

const TEXTS = { zh, en };

/** Texts of the actions on a conversation, which only their late chunks need. */
export function useToolTexts(): Translate<typeof zh> {
  return useTranslate(useChat().services.i18n, TEXTS);
}
