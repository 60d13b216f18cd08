import { useQuery } from '@tanstack/react-query';
import type { ContactDetails, ContactMergeReply, ContactMergeRequest } from 'api/contract/contacts';
import type { Contact } from 'api/contract/records';
import type { Http } from 'host/contract';
import { Dialog, DialogActions } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { useAction } from 'host/ui/use-action.ts';
import { useState } from 'react';
import { contactLabel } from '../history/filters/contact-label.ts';
import shared from '../lib/dialog-parts.module.css';
import { ContactCombobox } from './contact-combobox.tsx';
import styles from './contact-page.module.css';
import type { ContactTranslate } from './contact-texts.ts';

interface MergeDialogProps {
  http: Http;
  contact: ContactDetails;
  t: ContactTranslate;
  onClose(): void;
  onMerged(merged: ContactMergeReply): void;
}

/** Chooses the contact that gets all records of this one, shows what that changes, and does it. */
export function MergeDialog({ http, contact, t, onClose, onMerged }: MergeDialogProps) {
  const [into, setInto] = useState<Contact | null>(null);
  const { isBusy: isMerging, failure, run, clear } = useAction();
  const merge = async (request: Omit<ContactMergeRequest, 'id'>, signal?: AbortSignal) => {
    const body: ContactMergeRequest = { id: contact.id, ...request };
    return (await http.post<ContactMergeReply>('/api/contacts/merge', body, signal && { signal })).data;
  };
  const preview = useQuery({
    queryKey: ['merge', contact.id, into?.id],
    queryFn: ({ signal }) => merge({ into: into?.id ?? '', dryRun: true }, signal),
    enabled: into !== null,
    refetchOnMount: 'always',
  });
  const ready = preview.isFetching || preview.error ? undefined : preview.data;
  const isAllowed = ready !== undefined && !isMerging;

  const submit = () => {
    if (!into || !isAllowed) return document.getElementById('merge-target')?.focus();
    void run(async () => onMerged(await merge({ into: into.id })));
  };

  return (
    <Dialog
      title={t('merge.title')}
      closeLabel={t('close')}
      isBusy={isMerging}
      onClose={onClose}
      foot={
        <DialogActions
          cancelLabel={t('cancel')}
          onCancel={onClose}
          label={
            isMerging ? t('merge.doing') : ready ? t('merge.do', { count: ready.records }) : t('merge.title')
          }
          isBusy={isMerging}
          isOff={!isAllowed}
          onAct={submit}
        >
          <p className="note">{ready && t('merge.final')}</p>
        </DialogActions>
      }
    >
      <p>{t('merge.about', { name: contactLabel(contact) })}</p>
      <ContactCombobox
        http={http}
        inputId="merge-target"
        except={contact.id}
        chosen={into}
        t={t}
        onChoose={(chosen) => {
          setInto(chosen);
          clear();
        }}
      />
      <div aria-live="polite" aria-busy={preview.isFetching || undefined} className={styles.preview}>
        {!into && <p className="quiet">{t('merge.choose')}</p>}
        {into && preview.isFetching && <p className="quiet">{t('merge.counting')}</p>}
        {ready && into && (
          <>
            <dl className={shared.what}>
              <div>
                <dt>{t('merge.records')}</dt>
                <dd>{grouped(ready.records)}</dd>
              </div>
              <div>
                <dt>{t('merge.conversations')}</dt>
                <dd>{grouped(ready.conversations)}</dd>
              </div>
              <div>
                <dt>{t('merge.total')}</dt>
                <dd>{grouped(ready.records + ready.contact.recordCount)}</dd>
              </div>
            </dl>
            <p>
              {t('merge.name', {
                name: contactLabel(ready.contact.name ? ready.contact : { ...into, name: contact.name }),
                from: contactLabel({ ...contact, name: '' }),
              })}
            </p>
            {contact.note && ready.contact.note && <p>{t('merge.notes')}</p>}
          </>
        )}
      </div>
      {(failure || (into && !preview.isFetching && preview.error)) && (
        <Fault>{(failure ?? preview.error)?.message}</Fault>
      )}
    </Dialog>
  );
}
