import type { KnowledgeChange, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { HttpFailure } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useServices } from '../../lib/services.ts';
import { knowledgeTexts } from '../../lib/texts.ts';
import { ChangeCheck, useChangeCheck } from '../changes/change-check.tsx';
import styles from '../pairs/pairs.module.css';

interface PublishDialogProps {
  document: KnowledgeDocumentInfo;
  onClose(): void;
  onTry(): void;
  onPublished(): void;
  /** It could not be published because of another change, or for lack of permission. */
  onRefused(failure: HttpFailure): void;
}

/** Shows which questions a draft would answer otherwise, before it is published. */
export function PublishDialog({ document, onClose, onTry, onPublished, onRefused }: PublishDialogProps) {
  const t = useTexts(knowledgeTexts);
  const { http, toasts } = useServices();
  const { isBusy, failure, run } = useAction({
    onFailure: (reason) => [403, 404].includes(reason.status) && onRefused(reason),
  });
  const change: KnowledgeChange = { kind: 'publish_document', id: document.id };
  const check = useChangeCheck(http, change);
  const publish = () =>
    run(async () => {
      await http.post(`/api/knowledge/documents/${encodeURIComponent(document.id)}/publish`);
      toasts.show({ kind: 'success', text: t('draft.published', { name: document.title }) });
      onPublished();
    });
  return (
    <ActionDialog
      title={t('draft.publish')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      cancelLabel={t('cancel')}
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
      {failure && <Fault>{failure.message}</Fault>}
    </ActionDialog>
  );
}
