import { useQuery } from '@tanstack/react-query';
import type { Deletion } from 'api/contract/deletions';
import type { Contact } from 'api/contract/records';
import type { FoundRecord } from 'api/contract/search';
import { ActionDialog } from 'host/ui/dialog.tsx';
import { Fault } from 'host/ui/fault.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { Icon } from 'host/ui/icon.tsx';
import { pause } from 'host/ui/queries.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Segments } from 'host/ui/segments.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useRef, useState } from 'react';
import shared from '../lib/dialog-parts.module.css';
import { Fact } from '../lib/fact.tsx';
import { useServices } from '../lib/services.ts';
import { historyTexts } from '../lib/texts.ts';
import { type Confirmation, ConfirmField, isConfirmed } from './confirm-field.tsx';
import styles from './dialogs.module.css';
import { type EraseScope, eraseCall, previewErasure, type Targets } from './erase-scope.ts';
import { spacedId } from './filters/contact-label.ts';
import { DateChip } from './filters/date-chip.tsx';
import { useContacts } from './filters/use-contacts.ts';

export interface EraseDialogProps {
  /** The scope that is selected at first. */
  by: EraseScope['by'];
  /** The selected records: their displayed count ('12', '10000+'), the newest ones, and the selection; null if there are none. */
  selected: {
    count: string;
    sample: FoundRecord[];
    targets(signal: AbortSignal): Promise<Targets>;
  } | null;
  /** Initial value: the contact that the list is filtered by. */
  contact: string;
  from: string;
  to: string;
  onClose(): void;
  onErased(deletion: Deletion, scope: EraseScope): void;
}

/** Deleting more selected records than this requires typing the count. */
const UNCONFIRMED = 50;
const TYPING_MS = 300;

/** Deletes records after a preview: the selected ones, all of a contact, or all of some days. */
export function EraseDialog(props: EraseDialogProps) {
  const t = useTexts(historyTexts);
  const { selected, onClose, onErased } = props;
  const { http } = useServices();
  const [by, setBy] = useState(props.by);
  const [contact, setContact] = useState(props.contact);
  const [range, setRange] = useState({ from: props.from, to: props.to });
  const [isOfContact, setIsOfContact] = useState(props.contact !== '');
  const [typed, setTyped] = useState('');
  const [isRefused, setIsRefused] = useState(false);
  const { isBusy: isRunning, failure: refusal, run, clear } = useAction();
  const confirmField = useRef<HTMLInputElement>(null);
  // The dialog moves the focus to its first text field, but the days have none.
  const days = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => {
    if (by === 'date') days.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
  }, []);

  const key = keyOf();
  const preview = useQuery({
    queryKey: ['erasure', key],
    queryFn: async ({ signal }) => {
      if (by === 'contact') await pause(TYPING_MS, signal);
      const scope = await scopeNow(signal);
      return { scope, ...(await previewErasure(http, scope, signal)) };
    },
    enabled: key !== null,
    // The selection differs each time the dialog opens.
    refetchOnMount: 'always',
  });
  const failure = preview.isFetching ? null : preview.error;
  const ready = preview.isFetching || failure ? undefined : preview.data;
  const count = ready?.deletion.matched ?? 0;
  const confirmation: Confirmation | null = confirmationFor();
  const isAllowed = count > 0 && (!confirmation || isConfirmed(confirmation, typed));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another scope needs another confirmation
  useEffect(() => {
    setTyped('');
    setIsRefused(false);
  }, [key]);

  function keyOf(): string | null {
    if (by === 'selection') return selected ? 'selection' : null;
    if (by === 'contact') return contact.trim() ? `contact ${contact.trim()}` : null;
    if (!range.from || !range.to) return null;
    return `date ${range.from} ${range.to} ${isOfContact ? props.contact : ''}`;
  }
  async function scopeNow(signal: AbortSignal): Promise<EraseScope> {
    if (by === 'selection') return { by, targets: await (selected?.targets(signal) ?? { ids: [] }) };
    if (by === 'contact') return { by, contact: contact.trim() };
    return { by, ...range, ...(isOfContact && props.contact && { contact: props.contact }) };
  }
  function confirmationFor(): Confirmation | null {
    if (!ready || count === 0) return null;
    if (by === 'contact') return { by: 'contact', id: ready.contact?.id ?? contact.trim() };
    return by === 'date' || count > UNCONFIRMED ? { by: 'count', count } : null;
  }
  const erase = async () => {
    if (!ready || !isAllowed || isRunning) {
      setIsRefused(true);
      return confirmField.current?.focus();
    }
    // Deletes exactly what was previewed: uses the contact's id instead of the typed name.
    const scope =
      ready.scope.by === 'contact' && ready.contact
        ? { ...ready.scope, contact: ready.contact.id }
        : ready.scope;
    const { url, body } = eraseCall(scope);
    await run(async () => onErased((await http.post<Deletion>(url, body)).data, scope));
  };

  return (
    <ActionDialog
      title={t('erase.title')}
      isBusy={isRunning}
      failure={refusal}
      onClose={onClose}
      action={isRunning ? t('deleting') : count > 0 ? t('erase.do', { count }) : t('erase')}
      isDanger
      isOff={!isAllowed || isRunning}
      onAct={erase}
      aside={
        <p className="note">
          {ready && t('erase.note', { days: t('days', { count: ready.deletion.undoDays }) })}
        </p>
      }
    >
      <div ref={days} className="line gap-s3 wrap">
        <Segments
          label={t('erase.scope')}
          isWide
          choices={[
            ...(selected
              ? [{ value: 'selection' as const, label: t('erase.selected', { count: selected.count }) }]
              : []),
            { value: 'contact' as const, label: t('erase.contact') },
            { value: 'date' as const, label: t('erase.date') },
          ]}
          value={by}
          onChange={(next) => {
            setBy(next);
            clear();
          }}
        />
        {by === 'date' && <DateChip from={range.from} to={range.to} onChange={setRange} />}
      </div>
      {by === 'contact' && (
        <ContactField
          value={contact}
          choices={preview.error?.choices}
          isSettled={ready !== undefined && count > 0}
          onChange={setContact}
        />
      )}
      {by === 'date' && props.contact && (
        <label className="choice type-small">
          <input
            className="check"
            type="checkbox"
            checked={isOfContact}
            onChange={({ target }) => setIsOfContact(target.checked)}
          />
          {t('erase.onlyOf', { contact: spacedId(props.contact) })}
        </label>
      )}
      <div
        aria-live="polite"
        aria-busy={preview.isFetching || undefined}
        className={`stack gap-s3 ${shared.preview}`}
      >
        {key === null && <p className="quiet">{t(by === 'date' ? 'erase.noDates' : 'erase.noContact')}</p>}
        {key !== null && preview.isFetching && <p className="late">{t('counting')}</p>}
        {key !== null && failure && !failure.choices && (
          <Fault isQuiet>{t('erase.failed', { message: failure.message })}</Fault>
        )}
        {ready && count === 0 && <p className="quiet">{t('erase.none')}</p>}
        {ready && count > 0 && (
          <ErasePreviewView
            deletion={ready.deletion}
            sample={by === 'selection' ? (selected?.sample ?? []) : ready.sample}
            contact={ready.contact}
          />
        )}
      </div>
      {confirmation && (
        <ConfirmField
          inputRef={confirmField}
          confirmation={confirmation}
          isRefused={isRefused}
          value={typed}
          onChange={setTyped}
          onEnter={erase}
        />
      )}
    </ActionDialog>
  );
}

interface ErasePreviewViewProps {
  deletion: Deletion;
  sample: FoundRecord[];
  contact: Contact | null;
}

/** What will be deleted: counts, period, and the newest records. */
function ErasePreviewView({ deletion, sample, contact }: ErasePreviewViewProps) {
  const t = useTexts(historyTexts);
  const { dates } = useFormats();
  const { matched, preview } = deletion;
  const day = (iso: string) => dates.day(new Date(iso));
  const first = preview?.firstAt ? day(preview.firstAt) : '';
  const last = preview?.lastAt ? day(preview.lastAt) : '';
  const rest = matched - sample.length;
  return (
    <>
      {contact && (
        <p className="line gap-6px strong">
          <Icon name="user" className="icon-s" />
          {contact.name && contact.name !== contact.id ? `${contact.name} ` : ''}
          <span className="num">{spacedId(contact.id)}</span>
        </p>
      )}
      <dl className={shared.what}>
        <Fact name={t('erase.records')}>{grouped(matched)}</Fact>
        {preview && (
          <>
            <Fact name={t('erase.conversations')}>{grouped(preview.conversations)}</Fact>
            <Fact name={t('erase.files')}>{grouped(preview.files)}</Fact>
            {first && (
              <Fact name={t('erase.days')} className={shared.span}>
                {first === last ? first : `${first}–${last}`}
              </Fact>
            )}
          </>
        )}
      </dl>
      {sample.length > 0 && (
        <ul className={`well ruled type-small ${styles.list}`} aria-label={t('erase.list')}>
          {sample.map(({ id, createdAt, question }) => (
            <li className="line gap-s4 py-s2" key={id}>
              <time className="num quiet" dateTime={createdAt}>
                {day(createdAt)}
              </time>
              <span className="clip" dir="auto">
                {question}
              </span>
            </li>
          ))}
          {rest > 0 && first && (
            <li className="py-s2 quiet">{t('erase.rest', { count: grouped(rest), day: first })}</li>
          )}
        </ul>
      )}
    </>
  );
}

interface ContactFieldProps {
  value: string;
  /** The contacts that match a typed name, if there are several. */
  choices: readonly Contact[] | undefined;
  /** Whether the contact is known and has records; then no suggestions are shown. */
  isSettled: boolean;
  onChange(contact: string): void;
}

const OFFERED = 6;

/** Chooses one contact, typed or selected. */
function ContactField({ value, choices, isSettled, onChange }: ContactFieldProps) {
  const t = useTexts(historyTexts);
  const found = useContacts(value, OFFERED, !isSettled && !choices);
  const offered = choices ?? (isSettled ? [] : found.contacts);
  return (
    <div className="stack">
      <TextField
        label={t('erase.who')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={120}
        value={value}
        onText={onChange}
      />
      {choices && <Fault>{t('erase.choices')}</Fault>}
      {offered.length > 0 && (
        <ul className="line wrap chips" aria-label={t('erase.recent')}>
          {offered.map(({ id, name }) => (
            <li key={id}>
              <button className="chip" type="button" onClick={() => onChange(id)}>
                <Icon name="user" />
                {name && name !== id ? `${name} ` : ''}
                <span className="num">{spacedId(id)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
