import type { KnowledgeChange, KnowledgeDocumentInfo, KnowledgePair } from 'api/contract/knowledge';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { ActionDialog } from '../../lib/dialogs.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import type { DialogContext } from '../lib/dialog-context.ts';
import { ChangeCheck, useChangeCheck } from './change-check.tsx';

type DeletionTarget =
  | { kind: 'document'; document: KnowledgeDocumentInfo }
  | { kind: 'pair'; pair: KnowledgePair };

export interface DeleteDialogProps
  extends Pick<DialogContext, 'onClose' | 'onChanged' | 'onDeleted' | 'onRefused'> {
  target: DeletionTarget;
}

/** Confirms the deletion of a document or pair: shows what is deleted with it, and which questions will be answered differently. */
export function DeleteDialog({ target, onClose, onChanged, onDeleted, onRefused }: DeleteDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { http, toasts } = useServices();
  const { id } = target.kind === 'document' ? target.document : target.pair;
  const { isBusy, failure, run } = useAction({
    onFailure: (reason) => [403, 404, 409].includes(reason.status) && onRefused(reason),
  });
  const change: KnowledgeChange = { kind: `delete_${target.kind}`, id };
  const check = useChangeCheck(change);
  const { data } = check;
  const others = data && {
    ...data,
    changed: data.changed.filter(({ question }) => !isOwn(question, target)),
  };

  const erase = () => {
    if (check.isFetching) return;
    void run(async () => {
      await http.delete(`/api/knowledge/${target.kind}s/${encodeURIComponent(id)}`);
      const text =
        target.kind === 'document'
          ? t('delete.document.done', { name: target.document.title })
          : t('delete.pair.done');
      toasts.show({ kind: 'success', text });
      onClose();
      onDeleted(id);
      onChanged();
    });
  };

  return (
    <ActionDialog
      title={t(target.kind === 'document' ? 'delete.document' : 'delete.pair')}
      {...{ isBusy, failure }}
      onClose={onClose}
      action={isBusy ? t('deleting') : t(`delete.${target.kind}.do`)}
      isDanger
      isOff={isBusy || check.isFetching}
      onAct={erase}
    >
      <DeletionSummary target={target} />
      <ChangeCheck
        query={check}
        check={others}
        same={({ isPartial, checked }) => t(isPartial ? 'check.partial' : 'check.same', { checked })}
      />
    </ActionDialog>
  );
}

function DeletionSummary({ target }: { target: DeletionTarget }) {
  const t = useTexts(knowledgeTexts);
  if (target.kind === 'document') {
    const { title, passages, cited } = target.document;
    return (
      <div>
        <p>{t('delete.document.what', { name: title, passages })}</p>
        {cited > 0 && <p className="quiet">{t('delete.document.cited', { count: cited })}</p>}
      </div>
    );
  }
  const { question, variants, hits } = target.pair;
  return (
    <div>
      <p>{t('delete.pair.what', { name: question, count: variants.length + 1 })}</p>
      {hits > 0 && <p className="quiet">{t('delete.pair.hits', { count: hits })}</p>}
    </div>
  );
}

/** That a pair no longer answers its own questions is expected; only the first is listed. */
function isOwn(question: string, target: DeletionTarget): boolean {
  return target.kind === 'pair' && target.pair.variants.includes(question);
}
