import type { Deletion } from 'api/contract/deletions';
import type { FoundRecord, RecordFilter } from 'api/contract/search';
import { asFailure } from 'host/ui/failure.ts';
import { dayOfLocal } from 'host/ui/local-day.ts';
import { useRef, useState } from 'react';
import { useDesk } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import type { EraseDialogProps } from './erase-dialog.tsx';
import { type EraseScope, MAX_IDS, targetsOf } from './erase-scope.ts';
import { countTicked, isTicked, NOTHING, type Selection, tickedText } from './selection.ts';
import type { FoundRecords } from './use-found-records.ts';

/** What the dialog for deletion was opened for. */
type EraseRequest = Pick<EraseDialogProps, 'by' | 'selected'>;

interface Erasing {
  found: FoundRecords;
  selection: Selection;
  onErased(isGone: (record: FoundRecord) => boolean): void;
}

const SHOWN = 3;

/** Opens the dialog for deletion for the selection, one record, a contact or some days; afterwards shows a toast with an undo. */
export function useErasing({ found, selection, onErased }: Erasing) {
  const { t, http } = useDesk(historyTexts);
  const [request, setRequest] = useState<EraseRequest | null>(null);

  const ticked = (): EraseRequest['selected'] => {
    if (selection === NOTHING) return null;
    if (countTicked(selection, found.total) === 0) return null;
    const tooMany = t('selected.tooMany', { count: MAX_IDS });
    return {
      count: tickedText(selection, found),
      sample: found.records.filter(({ id }) => isTicked(selection, id)).slice(0, SHOWN),
      targets: (signal) => targetsOf(selection, found.filter, { http, signal, tooMany }),
    };
  };
  const show = useDeletionToast(() => found.refresh(true));
  const settle = (deletion: Deletion, scope: EraseScope) => {
    setRequest(null);
    const isGone = isIn(scope, found.filter);
    found.drop(isGone);
    found.refresh();
    onErased(isGone);
    show(deletion);
  };

  return {
    request,
    close: () => setRequest(null),
    settle,
    open: (by: EraseScope['by']) => setRequest({ by, selected: ticked() }),
    openFor: (record: FoundRecord) =>
      setRequest({
        by: 'selection',
        selected: { count: '1', sample: [record], targets: async () => ({ ids: [record.id] }) },
      }),
  };
}

/** True if a record belongs to the deleted ones. For a filter, all records of its list do. */
function isIn(scope: EraseScope, shown: RecordFilter): (record: FoundRecord) => boolean {
  if (scope.by === 'contact') return ({ contact }) => contact?.id === scope.contact;
  if (scope.by === 'selection') {
    if ('filter' in scope.targets) {
      const isShown = JSON.stringify(shown) === JSON.stringify(scope.targets.filter);
      return () => isShown;
    }
    const ids = new Set(scope.targets.ids);
    return ({ id }) => ids.has(id);
  }
  const { from, to, contact } = scope;
  return (record) => {
    const day = dayOfLocal(new Date(record.createdAt));
    return day >= from && day <= to && (contact === undefined || record.contact?.id === contact);
  };
}

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
