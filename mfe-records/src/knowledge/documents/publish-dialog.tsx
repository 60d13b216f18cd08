import type { KnowledgeChange, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import { Button } from 'host/ui/button.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { ActionDialog } from '../../lib/dialogs.tsx';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ChangeCheck, useChangeCheck } from '../changes/change-check.tsx';
import type { DialogContext } from '../lib/dialog-context.ts';
import styles from '../pairs/pairs.module.css';

export interface PublishDialogProps extends Pick<DialogContext, 'onClose' | 'onChanged' | 'onRefused'> {
  document: KnowledgeDocumentInfo;
  onTry(): void;
}

/** Before a draft is published, shows which questions would be answered differently. */
export function PublishDialog({ document, onClose, onTry, onChanged, onRefused }: PublishDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { http, toasts } = useServices();
  const { isBusy, failure, run } = useAction({
    onFailure: (reason) => [403, 404].includes(reason.status) && onRefused(reason),
  });
  const change: KnowledgeChange = { kind: 'publish_document', id: document.id };
  const check = useChangeCheck(change);
  const publish = () =>
    run(async () => {
      await http.post(`/api/knowledge/documents/${encodeURIComponent(document.id)}/publish`);
      toasts.show({ kind: 'success', text: t('draft.published', { name: document.title }) });
      onClose();
      onChanged();
    });
  return (
    <ActionDialog
      title={t('draft.publish')}
      {...{ isBusy, failure }}
      onClose={onClose}
      action={t('draft.publish.do')}
      isOff={isBusy || check.isFetching}
      onAct={() => isBusy || check.isFetching || void publish()}
      aside={
        <Button look={`bare ${styles.delete}`} label={t('draft.try')} disabled={isBusy} onClick={onTry} />
      }
    >
      <p>{t('draft.publish.about', { name: document.title })}</p>
      <ChangeCheck
        query={check}
        same={({ goldenChecked, checked }) => t('draft.same', { golden: goldenChecked, checked })}
      />
    </ActionDialog>
  );
}
