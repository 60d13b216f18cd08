import { useQueryClient } from '@tanstack/react-query';
import type { ContactDetails, ContactUndo, ContactUndoReply } from 'api/contract/contacts';
import type { Deletion } from 'api/contract/deletions';
import type { SearchPage } from 'api/contract/search';
import { barCharts } from 'host/ui/charts/chart.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { MenuButton } from 'host/ui/menu.tsx';
import { EmptyState } from 'host/ui/problem.tsx';
import { ScreenHead, Time, useTexts } from 'host/ui/screen.tsx';
import { Section } from 'host/ui/section.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { contactAddress, contactLabel, spacedId } from '../history/filters/contact-label.ts';
import { addressOf, EVERYTHING } from '../history/filters/filter.ts';
import { useDeletionToast } from '../history/use-erasing.ts';
import { answererOf } from '../lib/answerer-mark.tsx';
import { Fact } from '../lib/fact.tsx';
import { lateDialog } from '../lib/late-dialog.tsx';
import { FirstRead, LoadProblem } from '../lib/load-problem.tsx';
import { useEscapeBack } from '../lib/open-item.tsx';
import { plainExcerpt } from '../lib/plain-excerpt.ts';
import { RenameDialog } from '../lib/rename-dialog.tsx';
import { useDesk, useRead } from '../lib/services.ts';
import { contactTexts, filterTexts } from '../lib/texts.ts';
import { ContactChart } from './contact-chart.tsx';
import styles from './contact-page.module.css';
import { NoteEditor } from './note-editor.tsx';
import { type OpenContact, useContact } from './use-contact.ts';

/** One contact: figures, note, questions by month and latest records, with a menu to rename, merge and delete. */
export function ContactDetail({ id }: { id: string }) {
  const { t, toasts } = useDesk(contactTexts);
  const navigate = useNavigate();
  const open = useContact(id);
  useEscapeBack(true, contactAddress());
  const { contact, failure, retry } = open;
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const [hasDraft, setHasDraft] = useState(false);
  // Loads the chart library while the contact is loading.
  useLatePart(barCharts);
  // Differs from `id` if the contact was merged into another one.
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
      <ScreenHead
        title={contact ? contactLabel(contact) : t('contacts')}
        isClipped
        before={
          <Link
            className="icon-button"
            to={contactAddress()}
            aria-label={t('contacts.back')}
            title={t('contacts.back')}
          >
            <Icon name="chevron" className="left" />
          </Link>
        }
      >
        {contact && (
          <MenuButton
            label={t('more')}
            items={[
              { label: t('rename'), icon: 'pencil', action: () => setDialog('rename') },
              { label: t('merge'), icon: 'user', action: merge },
              { label: t('erase'), icon: 'trash', isDanger: true, action: () => setDialog('erase') },
            ]}
          />
        )}
      </ScreenHead>
      {!contact && failure && (
        <div className="body">
          {failure.status === 404 ? (
            <Gone />
          ) : (
            <LoadProblem failure={failure} title={t('contact.failed')} onRetry={retry} />
          )}
        </div>
      )}
      {!contact && !failure && (
        <div className="body">
          <Skeleton className="pad-s6" label={t('contact.loading')} lines={['half', 'most', 'half']} />
        </div>
      )}
      {contact && (
        <div className={`body ${styles.detail}`}>
          <ContactFacts contact={contact} />
          <NoteEditor key={contact.id} contact={contact} open={open} onChanged={setHasDraft} />
          <ContactChart id={contact.id} recordCount={contact.recordCount} />
          <LatestRecords id={contact.id} recordCount={contact.recordCount} />
        </div>
      )}
      {contact && dialog && (
        <ContactDialogs dialog={dialog} contact={contact} open={open} onClose={() => setDialog(null)} />
      )}
    </>
  );
}

function Gone() {
  const t = useTexts(contactTexts);
  return (
    <EmptyState role="status" title={t('contact.gone')} about={t('contact.gone.about')}>
      <Link className="button" to={contactAddress()}>
        {t('contacts.back')}
      </Link>
    </EmptyState>
  );
}

/** The id of a contact, as a link if it can be called or written to, and its figures. */
function ContactFacts({ contact }: { contact: ContactDetails }) {
  const t = useTexts(contactTexts);
  const { id, recordCount, conversationCount, firstAskedAt, lastAskedAt } = contact;
  const reach = reachAddress(id);
  return (
    <section className={`section ${styles.facts}`} aria-label={t('contact.facts')}>
      <p className="num targets breakable" dir="auto">
        {reach ? (
          <a href={reach.href} aria-label={t(`contact.${reach.kind}`, { id: spacedId(id) })}>
            {spacedId(id)}
          </a>
        ) : (
          id
        )}
      </p>
      <dl className="mt-s3 num">
        <Fact name={t('history.title')} className="ink-links targets type-figure">
          <Link to={addressOf('/history', { ...EVERYTHING, contact: id })}>{grouped(recordCount)}</Link>
        </Fact>
        <Fact name={t('contact.conversations')} className="type-figure">
          {grouped(conversationCount)}
        </Fact>
        <Fact name={t('contact.first')}>
          <Time at={firstAskedAt} as="day" />
        </Fact>
        <Fact name={t('col.last')}>
          <Time at={lastAskedAt} as="day" />
        </Fact>
      </dl>
    </section>
  );
}

/** The address to call or write to, if the id is a phone number or an e-mail address. */
function reachAddress(id: string): { kind: 'call' | 'write'; href: string } | undefined {
  if (/^\+?\d{5,20}$/.test(id)) return { kind: 'call', href: `tel:${id}` };
  if (/^[\w.!#$%&'*+/=^`{|}~-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u.test(id))
    return { kind: 'write', href: `mailto:${encodeURIComponent(id).replace('%40', '@')}` };
  return undefined;
}

const SHOWN = 5;

/** The contact's latest records, and a link to all of them in /history. */
function LatestRecords({ id, recordCount }: { id: string; recordCount: number }) {
  const t = useTexts(contactTexts);
  const query = useRead<SearchPage>('/api/search', {
    queryKey: ['contact records', id, recordCount],
    body: { contact: id, limit: SHOWN },
  });
  const { data } = query;
  const filter = { ...EVERYTHING, contact: id };
  return (
    <Section
      title={t('latest')}
      aside={
        <Link className="end" to={addressOf('/history', filter)}>
          {recordCount === 1 ? t('latest.only') : t('latest.all', { count: grouped(recordCount) })}
        </Link>
      }
    >
      <FirstRead
        query={query}
        title={t('history.failed')}
        label={t('history.loading')}
        lines={['most', 'half', 'most']}
      />
      <ul className="ruled ink-links targets">
        {data?.records.map((record) => (
          <li className="py-s2" key={record.id}>
            <Link
              className="block clip strong"
              to={addressOf('/history', filter, { r: record.id })}
              dir="auto"
            >
              {record.question}
            </Link>
            <p className="type-small ink-2 clip" dir="auto">
              {plainExcerpt(record.answer)}
            </p>
            <footer className="line gap-s3 mt-s1 type-meta quiet num">
              <Time at={record.createdAt} />
              {record.status === 'done' ? (
                <SourceMark source={answererOf(record)} label={t(`source.${answererOf(record)}`)} />
              ) : (
                <span className="tag">{t(`status.${record.status}`)}</span>
              )}
            </footer>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const EraseDialog = lateDialog(
  async () => (await import('../history/erase-dialog.tsx')).EraseDialog,
  filterTexts,
);
const MergeDialog = lateDialog(async () => (await import('./merge-dialog.tsx')).MergeDialog);

type OpenDialog = 'rename' | 'merge' | 'erase';

/** Maximum length of a name in UTF-16 units. */
const MAX_LENGTH = 120;

interface ContactDialogsProps {
  dialog: OpenDialog;
  contact: ContactDetails;
  open: OpenContact;
  onClose(): void;
}

/** The dialogs to rename and merge the contact, and to delete its records as on /history. */
function ContactDialogs({ dialog, contact, open, onClose }: ContactDialogsProps) {
  const { t, http, storage, toasts } = useDesk(contactTexts);
  const client = useQueryClient();
  const navigate = useNavigate();

  const showDeletion = useDeletionToast(() => void client.invalidateQueries());
  const undoChange = async ({ undoToken }: ContactUndo) => {
    try {
      const { data } = await http.post<ContactUndoReply>('/api/undo_contact', { undoToken });
      toasts.show({ kind: 'success', text: t('undo.done', { count: data.records }) });
      void client.invalidateQueries();
      if (data.contact) void navigate(contactAddress(data.contact.id), { replace: true });
    } catch (error) {
      toasts.show({ kind: 'error', text: asFailure(error).message });
    }
  };
  const undoAction = (undo: ContactUndo | undefined) =>
    undo && { action: { label: t('undo'), run: () => void undoChange(undo) } };
  const rename = async (name: string) => {
    try {
      const { undo } = await open.change({ name });
      toasts.show({ kind: 'success', text: t('renamed'), ...undoAction(undo) });
    } catch (error) {
      // The page now shows what was changed elsewhere. Saving again replaces it.
      if (asFailure(error).status === 409) await open.refresh();
      throw error;
    }
  };
  const onErased = (deletion: Deletion) => {
    onClose();
    showDeletion(deletion);
    void navigate(contactAddress(), { replace: true });
  };

  if (dialog === 'rename')
    return (
      <RenameDialog
        texts={{ title: t('rename.title'), label: t('rename.name'), about: t('rename.about') }}
        name={contact.name}
        maxLength={MAX_LENGTH}
        onSave={rename}
        onClose={onClose}
      />
    );
  if (dialog === 'merge')
    return (
      <MergeDialog
        contact={contact}
        onClose={onClose}
        onMerged={({ records, contact: into, undo: token }) => {
          onClose();
          const text = t('merge.done', { count: records, name: contactLabel(into) });
          toasts.show({ kind: 'success', text, ...undoAction(token) });
          storage.remove(`contacts/note/${contact.id}`);
          void client.invalidateQueries();
          void navigate(contactAddress(into.id), { replace: true });
        }}
      />
    );
  return (
    <EraseDialog
      by="contact"
      selected={null}
      contact={contact.id}
      from=""
      to=""
      onClose={onClose}
      onErased={onErased}
    />
  );
}
