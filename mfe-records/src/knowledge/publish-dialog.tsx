import { useQuery } from '@tanstack/react-query';
import type { KnowledgeChange, KnowledgeCheck, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useAction } from 'host/ui/use-action.ts';
import shared from '../lib/dialog-parts.module.css';
import { ChangedAnswers } from './changed-answers.tsx';
import type { KnowledgeTexts } from './knowledge-texts.ts';
import styles from './pairs.module.css';

interface PublishDialogProps {
  services: Pick<HostServices, 'http' | 'toasts'>;
  t: Translate<KnowledgeTexts>;
  document: KnowledgeDocumentInfo;
  onClose(): void;
  onTry(): void;
  onPublished(): void;
  /** It could not be published because of another change, or for lack of permission. */
  onRefused(failure: HttpFailure): void;
}

/** Shows which questions a draft would answer otherwise, before it is published. */
export function PublishDialog(props: PublishDialogProps) {
  const { services, t, document, onClose, onTry, onPublished, onRefused } = props;
  const { http, toasts } = services;
  const { isBusy, failure, run } = useAction({
    onFailure: (reason) => [403, 404].includes(reason.status) && onRefused(reason),
  });
  const change: KnowledgeChange = { kind: 'publish_document', id: document.id };
  const check = useQuery({
    queryKey: ['check', change],
    queryFn: async ({ signal }) =>
      (await http.post<KnowledgeCheck>('/api/knowledge/check', change, { signal })).data,
    refetchOnMount: 'always',
  });
  const publish = () =>
    run(async () => {
      await http.post(`/api/knowledge/documents/${encodeURIComponent(document.id)}/publish`);
      toasts.show({ kind: 'success', text: t('draft.published', { name: document.title }) });
      onPublished();
    });
  const { data } = check;
  const isSame = data !== undefined && data.changed.length + data.golden.length === 0;
  return (
    <Dialog
      title={t('draft.publish')}
      closeLabel={t('close')}
      isBusy={isBusy}
      onClose={onClose}
      foot={
        <>
          <button className={`button bare ${styles.delete}`} type="button" disabled={isBusy} onClick={onTry}>
            {t('draft.try')}
          </button>
          <button className="button" type="button" disabled={isBusy} onClick={onClose}>
            {t('cancel')}
          </button>
          <button
            className="button primary"
            type="button"
            aria-disabled={isBusy || check.isFetching}
            onClick={() => isBusy || check.isFetching || void publish()}
          >
            {t('draft.publish.do')}
          </button>
        </>
      }
    >
      <p>{t('draft.publish.about', { name: document.title })}</p>
      <div aria-live="polite" aria-busy={check.isFetching}>
        {check.isFetching && <p className={`quiet ${shared.late}`}>{t('check.running')}</p>}
        {check.error && !check.isFetching && (
          <p className="field-note error">
            <Icon name="alert" />
            {t('check.failed', { message: check.error.message })}
          </p>
        )}
        {!check.isFetching && data && !isSame && <ChangedAnswers check={data} t={t} />}
        {!check.isFetching && data && isSame && (
          <p className="quiet">{t('draft.same', { golden: data.goldenChecked, checked: data.checked })}</p>
        )}
      </div>
      {failure && (
        <p className="field-note error" role="alert">
          <Icon name="alert" />
          {failure.message}
        </p>
      )}
    </Dialog>
  );
}
