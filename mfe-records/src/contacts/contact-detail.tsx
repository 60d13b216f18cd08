import type { HostServices } from 'host/contract';
import { barCharts } from 'host/ui/charts/chart.tsx';
import type { DateFormats } from 'host/ui/format-date.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { MenuButton } from 'host/ui/menu.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { contactLabel } from '../history/filters/contact-label.ts';
import { contactAddress } from '../lib/contact-address.ts';
import { LoadProblem } from '../lib/load-problem.tsx';
import { useEscapeBack } from '../lib/use-escape-back.ts';
import { ContactChart } from './contact-chart.tsx';
import { ContactDialogs, type OpenDialog } from './contact-dialogs.tsx';
import { ContactFacts } from './contact-facts.tsx';
import styles from './contact-page.module.css';
import type { ContactTranslate } from './contact-texts.ts';
import { LatestRecords } from './latest-records.tsx';
import { NoteEditor } from './note-editor.tsx';
import { useContact } from './use-contact.ts';

interface ContactDetailProps {
  id: string;
  services: HostServices;
  calendar: DateFormats;
  t: ContactTranslate;
  controls: ReactNode;
}

/** One contact: figures, note, questions by month and latest records, with a menu to rename, merge and delete. */
export function ContactDetail({ id, services, calendar, t, controls }: ContactDetailProps) {
  const { http, toasts } = services;
  const navigate = useNavigate();
  const open = useContact(http, id);
  useEscapeBack(true, contactAddress());
  const { contact, failure, retry } = open;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [hasDraft, setHasDraft] = useState(false);
  // Loads the chart library while the contact is loading.
  useLatePart(barCharts);
  // The contact was merged into this one.
  const shownId = contact?.id ?? id;
  useEffect(() => {
    if (shownId !== id) void navigate(contactAddress(shownId), { replace: true });
  }, [shownId, id, navigate]);

  const merge = () => {
    if (hasDraft) toasts.show({ kind: 'warning', text: t('merge.unsaved') });
    else setDialog('merge');
  };

  return (
    <>
      <header className="head">
        <Link
          className="icon-button"
          to={contactAddress()}
          aria-label={t('contacts.back')}
          title={t('contacts.back')}
        >
          <Icon name="chevron" className="left" />
        </Link>
        <h1 className="clip" dir="auto">
          {contact ? contactLabel(contact) : t('contacts')}
        </h1>
        <span className="space" />
        {contact && (
          <MenuButton
            className="icon-button"
            label={t('contact.actions')}
            items={[
              { label: t('rename'), icon: 'pencil', action: () => setDialog('rename') },
              { label: t('merge'), icon: 'user', action: merge },
              { label: t('erase'), icon: 'trash', isDanger: true, action: () => setDialog('erase') },
            ]}
          >
            <Icon name="more" />
          </MenuButton>
        )}
        <div className="cluster">{controls}</div>
      </header>
      {!contact && failure && (
        <div className="body">
          {failure.status === 404 ? (
            <Gone t={t} />
          ) : (
            <LoadProblem failure={failure} title={t('contact.failed')} t={t} onRetry={retry} />
          )}
        </div>
      )}
      {!contact && !failure && (
        <div className="body">
          <Skeleton className={styles.bones} label={t('contact.loading')} lines={['half', 'most', 'half']} />
        </div>
      )}
      {contact && (
        <div className={`body ${styles.detail}`}>
          <ContactFacts contact={contact} calendar={calendar} t={t} />
          <NoteEditor
            key={contact.id}
            services={services}
            contact={contact}
            open={open}
            t={t}
            onChanged={setHasDraft}
          />
          <ContactChart services={services} id={contact.id} recordCount={contact.recordCount} t={t} />
          <LatestRecords
            http={http}
            id={contact.id}
            recordCount={contact.recordCount}
            calendar={calendar}
            t={t}
          />
        </div>
      )}
      {contact && dialog && (
        <ContactDialogs
          dialog={dialog}
          services={services}
          contact={contact}
          open={open}
          calendar={calendar}
          t={t}
          onClose={() => setDialog(null)}
        />
      )}
    </>
  );
}

function Gone({ t }: Pick<ContactDetailProps, 't'>) {
  return (
    <div className="failed" role="status">
      <h2>{t('contact.gone')}</h2>
      <p>{t('contact.gone.about')}</p>
      <div className="row">
        <Link className="button" to={contactAddress()}>
          {t('contacts.back')}
        </Link>
      </div>
    </div>
  );
}
