import type { Deletion } from 'api/contract/deletions';
import { asFailure } from 'host/ui/failure.ts';
import { useRef } from 'react';
import { useDesk } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';

/** Shows a deletion in a toast with an undo button, which also works after the screen has changed. */
export function useDeletionToast(onRestored: () => void) {
  const { t, http, toasts } = useDesk(historyTexts);
  const latest = useRef(onRestored);
  latest.current = onRestored;
  const undo = async (undoToken: string) => {
    try {
      const { data } = await http.post<{ restored: number }>('/api/undo_delete', { undoToken });
      toasts.show({ kind: 'success', text: t('undo.done', { count: data.restored }) });
      latest.current();
    } catch (error) {
      toasts.show({ kind: 'error', text: asFailure(error).message });
    }
  };
  return ({ deleted, undoToken, undoDays }: Deletion) =>
    toasts.show({
      kind: 'success',
      text: t('erase.done', { count: deleted, days: t('days', { count: undoDays }) }),
      ...(undoToken && { action: { label: t('undo'), run: () => void undo(undoToken) } }),
    });
}
