import type { DocumentTitle, KnowledgeDocumentInfo } from 'api/contract/knowledge';
import type { HostServices, HttpFailure, Translate } from 'host/contract';
import { Dialog } from 'host/ui/dialog.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useId, useState } from 'react';
import type { KnowledgeTexts } from './knowledge-texts.ts';

interface RenameDialogProps {
  services: Pick<HostServices, 'http' | 'toasts'>;
  t: Translate<KnowledgeTexts>;
  document: KnowledgeDocumentInfo;
  onClose(): void;
  onChanged(): void;
  /** It could not be renamed because of another change, or for lack of permission. */
  onRefused(failure: HttpFailure): void;
}

const MAX_LENGTH = 200;

/** A new title for a document, which answers name as their source. */
export function RenameDialog({ services, t, document, onClose, onChanged, onRefused }: RenameDialogProps) {
  const { http, toasts } = services;
  const fieldId = useId();
  const [title, setTitle] = useState(document.title);
  const [isSaving, setIsSaving] = useState(false);
  const [message, setMessage] = useState('');
  const save = async () => {
    if (title.trim() === '') return setMessage(t('rename.empty'));
    if (title.trim() === document.title) return onClose();
    setIsSaving(true);
    try {
      const body: DocumentTitle = { title: title.trim() };
      await http.patch(`/api/knowledge/documents/${encodeURIComponent(document.id)}`, body);
      toasts.show({ kind: 'success', text: t('rename.done') });
      onClose();
      onChanged();
    } catch (error) {
      const failure = error as HttpFailure;
      setIsSaving(false);
      if ([403, 404].includes(failure.status)) onRefused(failure);
      else setMessage(failure.message);
    }
  };
  return (
    <Dialog
      title={t('rename')}
      closeLabel={t('close')}
      isBusy={isSaving}
      onClose={onClose}
      onSubmit={() => void save()}
      foot={
        <>
          <button className="button" type="button" onClick={onClose}>
            {t('cancel')}
          </button>
          <button className="button primary" type="submit" aria-disabled={isSaving}>
            {t('rename.save')}
          </button>
        </>
      }
    >
      <div className="field">
        <label htmlFor={fieldId}>{t('rename.title')}</label>
        <input
          id={fieldId}
          className="input"
          value={title}
          maxLength={MAX_LENGTH}
          dir="auto"
          aria-invalid={message !== '' || undefined}
          aria-describedby={`${fieldId}-note`}
          onChange={(event) => setTitle(event.target.value)}
        />
        <p
          id={`${fieldId}-note`}
          className={`field-note ${message ? 'error' : ''}`}
          role={message ? 'alert' : undefined}
        >
          {message && <Icon name="alert" />}
          {message || t('rename.about')}
        </p>
      </div>
    </Dialog>
  );
}
