import type { Conversation } from 'api/contract/records';
import { asFailure } from 'host/ui/failure.ts';
import { focusNeighbour } from 'host/ui/move-focus.ts';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import type { RefObject } from 'react';
import { useChat } from '../state/chat-context.ts';

/**
 * What the menu of a conversation does besides renaming and deleting. All report their failures as toasts.
 * `row` is its row in the list, which disappears when it is archived.
 */
export function useConversationTools({ id, title }: Conversation, row: RefObject<HTMLElement | null>) {
  const { services, t, chat } = useChat();
  const { http, toasts } = services;
  const fail = (reason: unknown) => void toasts.show({ kind: 'error', text: asFailure(reason).message });

  const archive = async (archived: boolean): Promise<void> => {
    focusNeighbour(row.current);
    try {
      await chat.conversations.place(id, { archived });
    } catch (reason) {
      return fail(reason);
    }
    const undo = () =>
      void chat.conversations
        .place(id, { archived: false })
        .then(() => toasts.show({ kind: 'success', text: t('unarchivedNow') }), fail);
    toasts.show({
      kind: 'success',
      text: t(archived ? 'archivedNow' : 'unarchivedNow'),
      ...(archived ? { action: { label: t('undo'), run: undo } } : {}),
    });
  };

  return {
    archive,
    async pin(pinned: boolean): Promise<void> {
      try {
        await chat.conversations.place(id, { pinned });
      } catch (reason) {
        return fail(reason);
      }
      toasts.show({ kind: 'success', text: t(pinned ? 'pinnedNow' : 'unpinnedNow') });
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
