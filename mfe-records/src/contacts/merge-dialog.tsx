import { useQuery } from '@tanstack/react-query';
import type { ContactDetails, ContactMergeReply, ContactMergeRequest } from 'api/contract/contacts';
import type { Contact } from 'api/contract/records';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useCombobox } from 'host/ui/use-combobox.ts';
import { useState } from 'react';
import { contactLabel, fullContactLabel, spacedId } from '../history/filters/contact-label.ts';
import { useContacts } from '../history/filters/use-contacts.ts';
import shared from '../lib/dialog-parts.module.css';
import { Fact } from '../lib/fact.tsx';
import { useDesk } from '../lib/services.ts';
import { contactTexts } from '../lib/texts.ts';
import styles from './contact-page.module.css';

interface MergeDialogProps {
  contact: ContactDetails;
  onClose(): void;
  onMerged(merged: ContactMergeReply): void;
}

/** Chooses the contact that gets all records of this one, shows what that changes, and does it. */
export function MergeDialog({ contact, onClose, onMerged }: MergeDialogProps) {
  const { t, http } = useDesk(contactTexts);
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
    <ActionDialog
      title={t('merge.title')}
      isBusy={isMerging}
      failure={failure ?? (into && !preview.isFetching ? preview.error : null)}
      onClose={onClose}
      action={
        isMerging ? t('merge.doing') : ready ? t('merge.do', { count: ready.records }) : t('merge.title')
      }
      isOff={!isAllowed}
      onAct={submit}
      aside={<p className="note">{ready && t('merge.final')}</p>}
    >
      <p>{t('merge.about', { name: contactLabel(contact) })}</p>
      <ContactCombobox
        inputId="merge-target"
        except={contact.id}
        chosen={into}
        onChoose={(chosen) => {
          setInto(chosen);
          clear();
        }}
      />
      <div
        aria-live="polite"
        aria-busy={preview.isFetching || undefined}
        className={`stack gap-s3 ${shared.preview}`}
      >
        {!into && <p className="quiet">{t('merge.choose')}</p>}
        {into && preview.isFetching && <p className="quiet">{t('counting')}</p>}
        {ready && into && (
          <>
            <dl className={shared.what}>
              <Fact name={t('merge.records')}>{grouped(ready.records)}</Fact>
              <Fact name={t('merge.conversations')}>{grouped(ready.conversations)}</Fact>
              <Fact name={t('merge.total')}>{grouped(ready.records + ready.contact.recordCount)}</Fact>
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
    </ActionDialog>
  );
}

interface ContactComboboxProps {
  inputId: string;
  /** Id of a contact that cannot be chosen. */
  except: string;
  chosen: Contact | null;
  /** Called with null if the text was changed after a choice. */
  onChoose(contact: Contact | null): void;
}

const OFFERED = 20;

/** A field that finds contacts by number, e-mail or name; arrow keys select, Enter chooses. */
function ContactCombobox({ inputId, except, chosen, onChoose }: ContactComboboxProps) {
  const t = useTexts(contactTexts);
  const [typed, setTyped] = useState('');
  const { contacts, error, isFetching } = useContacts(typed, OFFERED, chosen === null);
  const options = chosen ? [] : contacts.filter(({ id }) => id !== except);
  const combobox = useCombobox({
    count: options.length,
    startsAt: 0,
    onChoose(index) {
      const option = options[index];
      if (!option) return;
      setTyped(fullContactLabel(option));
      onChoose(option);
    },
  });
  return (
    <div className="stack">
      <div className="field">
        <label htmlFor={inputId}>{t('merge.find')}</label>
        <input
          className="input"
          {...combobox.field}
          id={inputId}
          spellCheck={false}
          maxLength={250}
          value={typed}
          onChange={({ target }) => {
            setTyped(target.value);
            combobox.reset();
            if (chosen) onChoose(null);
          }}
        />
      </div>
      <div {...combobox.list(t('merge.list'))} className={styles.options} hidden={options.length === 0}>
        {options.map((option, index) => (
          <div
            key={option.id}
            {...combobox.option(index)}
            className={styles.option}
            onPointerMove={() => combobox.setActive(index)}
          >
            <span className="clip">{contactLabel(option)}</span>
            {option.name && option.name !== option.id && (
              <span className="clip num type-small quiet">{spacedId(option.id)}</span>
            )}
          </div>
        ))}
      </div>
      {error && <Fault>{error.message}</Fault>}
      {!chosen && !isFetching && !error && options.length === 0 && (
        <p className="field-note" role="status">
          {t('merge.none')}
        </p>
      )}
    </div>
  );
}
