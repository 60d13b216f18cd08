import type { Conversation } from 'api/contract/records';
import { asFailure } from 'host/ui/failure.ts';
import { ItemMenu } from 'host/ui/menu.tsx';
import { focusNeighbour } from 'host/ui/move-focus.ts';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import type { RefObject } from 'react';
import { useChat } from '../state/chat-context.ts';

export interface ConversationMenuProps {
  anchor: HTMLElement;
  conversation: Conversation;
  row: RefObject<HTMLElement | null>;
  onClose(): void;
  onRename(): void;
  onShare(): void;
  onPrint(): void;
}

/** Menu of a conversation. Its row renders what remains open after the menu has closed. */
export function ConversationMenu(props: ConversationMenuProps) {
  const { anchor, conversation, row, onClose, onRename, onShare, onPrint } = props;
  const { t } = useChat();
  const { archive, pin, exportAs, remove } = useConversationTools(conversation, row);
  const { title, pinned = false, archived = false } = conversation;
  return (
    <ItemMenu
      anchor={anchor}
      label={title}
      placement="bottom-end"
      closesOnScroll
      items={[
        { label: t('rename'), icon: 'pencil', action: onRename },
        { label: t(pinned ? 'unpin' : 'pin'), icon: 'pin', action: () => void pin(!pinned) },
        {
          label: t(archived ? 'unarchive' : 'archive'),
          icon: 'archive',
          action: () => void archive(!archived),
        },
        { label: t('share'), icon: 'link', action: onShare },
        { label: t('exportMarkdown'), icon: 'download', action: () => void exportAs('markdown') },
        { label: t('exportPdf'), icon: 'download', action: () => void exportAs('pdf') },
        { label: t('print'), icon: 'print', action: onPrint },
        { label: t('remove'), icon: 'trash', isDanger: true, action: () => void remove() },
      ]}
      onClose={onClose}
    />
  );
}

/** In milliseconds. */
const DAY_MS = 86_400_000;

/** An action that can be undone, and the text of its toast. */
/**
 * The actions of a conversation's menu, except renaming. Failures are shown as toasts. `row` is the conversation's row in the list, which
 * disappears when it is archived or deleted.
 */
function useConversationTools({ id, title }: Conversation, row: RefObject<HTMLElement | null>) {
  const { services, t, chat } = useChat();
  const { http, toasts } = services;
  const fail = (reason: unknown) => void toasts.show({ kind: 'error', text: asFailure(reason).message });
  const confirm = (text: string, undo?: { run(): Promise<unknown>; done: string }): void => {
    const run = () => void undo?.run().then(() => confirm(undo.done), fail);
    toasts.show({ kind: 'success', text, ...(undo && { action: { label: t('undo'), run } }) });
  };
  const removed = (count: number, undoUntil: string) => {
    const days = Math.round((Date.parse(undoUntil) - Date.now()) / DAY_MS);
    if (days < 1) return t('removedToday', { count });
    return t('removed', { count, days: t('days', { count: days }) });
  };

  return {
    async archive(archived: boolean): Promise<void> {
      focusNeighbour(row.current);
      try {
        await chat.conversations.place(id, { archived });
      } catch (reason) {
        return fail(reason);
      }
      const bringBack = () => chat.conversations.place(id, { archived: false });
      if (archived) confirm(t('archivedNow'), { run: bringBack, done: t('unarchivedNow') });
      else confirm(t('unarchivedNow'));
    },
    /** Deletes immediately and offers an undo, instead of asking for confirmation. */
    async remove(): Promise<void> {
      focusNeighbour(row.current);
      try {
        const { deleted, undoToken, undoUntil } = await chat.conversations.remove(id);
        if (chat.consultation.state$.value.conversationId === id) chat.address$.next(null);
        confirm(removed(deleted, undoUntil), {
          run: () => chat.conversations.undo(undoToken),
          done: t('restored'),
        });
      } catch (reason) {
        fail(reason);
      }
    },
    async pin(pinned: boolean): Promise<void> {
      try {
        await chat.conversations.place(id, { pinned });
      } catch (reason) {
        return fail(reason);
      }
      confirm(t(pinned ? 'pinnedNow' : 'unpinnedNow'));
      // The row moved to another group, where it is a new element, and lost the focus.
      requestAnimationFrame(() => document.activeElement === document.body && focusLink(id));
    },
    async exportAs(format: 'markdown' | 'pdf'): Promise<void> {
      const dismiss = format === 'pdf' && toasts.show({ kind: 'info', text: t('preparingPdf') });
      const tz = new Intl.DateTimeFormat().resolvedOptions().timeZone;
      try {
        const { data, headers } = await http.get<Blob>(`/api/conversations/${id}/export`, {
          params: { format, tz },
          responseType: 'blob',
        });
        const ending = format === 'pdf' ? 'pdf' : 'md';
        saveFile(data, fileNameOf(headers['content-disposition']) || `${title}.${ending}`);
      } catch (reason) {
        fail(reason);
      } finally {
        if (dismiss) dismiss();
      }
    },
  };
}

function focusLink(id: string): void {
  document.querySelector<HTMLElement>(`#side a[href$="?c=${id}"]`)?.focus({ preventScroll: true });
}
