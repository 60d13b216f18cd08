import { useQuery } from '@tanstack/react-query';
import type { AnsweredBy, Outcome } from 'api/contract/answers';
import type { Contact } from 'api/contract/records';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { moveInMenu } from 'host/ui/menu.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { useCombobox } from 'host/ui/use-combobox.ts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useDesk } from '../../lib/services.ts';
import { type FilterTexts, filterTexts } from '../../lib/texts.ts';
import { contactAddress, contactLabel, findContacts, fullContactLabel, spacedId } from './contact-label.ts';
import { DateChip } from './date-chip.tsx';
import { EVERYTHING, FEEDBACKS, type Filter, isEverything, OUTCOMES, SOURCES, type Step } from './filter.ts';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { useContacts } from './use-contacts.ts';
import { useRecognition } from './use-recognition.ts';

interface FilterBarProps {
  filter: Filter;
  /** Choosing adds a history entry, typing does not. See `useFilter`. */
  onChange(filter: Filter, step: Step): void;
}

/** The filters of the records below: text, contact, dates, source, outcome and rating, each a chip that can be removed. */
export function FilterBar({ filter, onChange }: FilterBarProps) {
  const t = useTexts(filterTexts);
  const recognition = useRecognition(filter, onChange);
  const bar = useRef<HTMLDivElement>(null);
  const set = (part: Partial<Filter>, step: Step = 'push') => onChange({ ...filter, ...part }, step);

  return (
    // biome-ignore lint/a11y/useSemanticElements: the oldest supported browsers do not know <search>
    <div ref={bar} className={`no-print ${styles.bar}`} role="search" aria-label={t('filters')}>
      <RecordSearch
        text={filter.text}
        hintFor={(text) => {
          const typed = recognition.datesIn(text);
          return typed ? t('search.read', { words: typed }) : t('search.hint');
        }}
        status={recognition.several && t('contact.several', { name: recognition.several })}
        onEdit={recognition.follow}
        onType={(text) => set({ text }, 'replace')}
        onSubmit={recognition.submit}
        onClear={() => set({ text: '' })}
      />
      <div className={styles.chips}>
        <ContactFilterChip
          contact={filter.contact}
          onChange={(contact) => (contact === null ? recognition.dropContact() : set({ contact }))}
        />
        <DateChip
          from={filter.from}
          to={filter.to}
          onChange={({ from, to }) => (from || to ? set({ from, to }) : recognition.dropDates())}
        />
        {(['source', 'outcome', 'feedback'] as const).map((kind) => (
          <ChoiceChip
            key={kind}
            kind={kind}
            value={filter[kind]}
            onChange={(value) => set({ [kind]: value } as Partial<Filter>)}
          />
        ))}
        {!isEverything(filter) && (
          <Button
            look="bare small push"
            label={t('clear')}
            onClick={() => {
              // The pressed button disappears.
              bar.current?.querySelector<HTMLElement>('input, button')?.focus();
              onChange(EVERYTHING, 'push');
            }}
          />
        )}
      </div>
    </div>
  );
}

const CHOICES = { source: SOURCES, outcome: OUTCOMES, feedback: FEEDBACKS } as const;

interface ChoiceChipProps {
  kind: keyof typeof CHOICES;
  /** '' matches everything. */
  value: string;
  onChange(value: string): void;
}

/** A filter chip with a menu of a few values. Arrow keys, Home and End move in the menu. */
function ChoiceChip({ kind, value, onChange }: ChoiceChipProps) {
  const t = useTexts(filterTexts);
  const name = t(kind);
  const markOf = (one: string) => {
    if (kind === 'source')
      return <SourceMark source={one as AnsweredBy} label={t(`source.${one as AnsweredBy}`)} />;
    if (kind === 'outcome')
      return <OutcomeMark outcome={one as Outcome} label={t(`outcome.${one as Outcome}`)} />;
    return t(`feedback.${one as (typeof FEEDBACKS)[number]}`);
  };
  return (
    <FilterChip
      label={value === '' ? name : markOf(value)}
      isSet={value !== ''}
      title={name}
      off={t(`${kind}.off`)}
      opens="menu"
      onOff={() => onChange('')}
    >
      {(close) => (
        <div className={styles.choices} role="menu" aria-label={name} tabIndex={-1} onKeyDown={moveInMenu}>
          {['', ...CHOICES[kind]].map((choice) => (
            <button
              key={choice}
              type="button"
              role="menuitemradio"
              aria-checked={choice === value}
              data-focus-first={choice === value || undefined}
              onClick={() => {
                close();
                onChange(choice);
              }}
            >
              {choice === '' ? t(`${kind}.any`) : markOf(choice)}
              {choice === value && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </FilterChip>
  );
}

interface ContactFilterChipProps {
  /** A contact's id; '' for oneself, null for anyone. */
  contact: string | null;
  onChange(contact: string | null): void;
}

function ContactFilterChip({ contact, onChange }: ContactFilterChipProps) {
  const { t, http } = useDesk(filterTexts);
  // The address contains only the id; the name is looked up.
  const { data: known } = useQuery({
    queryKey: ['contact', contact],
    queryFn: async ({ signal }) => {
      const found = await findContacts(http, contact ?? '', 20, signal);
      return found.find(({ id }) => id === contact) ?? null;
    },
    enabled: Boolean(contact),
  });

  return (
    <FilterChip
      icon="user"
      label={labelOf(contact, known, t)}
      isSet={contact !== null}
      title={t('contact.choose')}
      off={t('contact.off')}
      opens="dialog"
      onOff={() => onChange(null)}
    >
      {(close) => (
        <>
          <ContactOptions
            contact={contact}
            onChoose={(chosen) => {
              close();
              onChange(chosen);
            }}
          />
          <Link className={styles.page} to={contactAddress(contact)}>
            {contact ? t('contact.page') : t('contact.manage')}
          </Link>
        </>
      )}
    </FilterChip>
  );
}

function labelOf(
  contact: string | null,
  known: Contact | null | undefined,
  t: Translate<FilterTexts>,
): string {
  if (contact === null) return t('contact.any');
  return contact === '' ? t('myself') : fullContactLabel(known ?? { id: contact, name: '' });
}

const LIMIT = 50;

interface ContactOptionsProps {
  contact: string | null;
  onChoose(contact: string | null): void;
}

interface Option {
  id: string | null;
  name: string;
  note: string;
}

/** A combobox of the visitor's contacts, most recently used first: arrow keys select, Enter chooses. */
function ContactOptions({ contact, onChoose }: ContactOptionsProps) {
  const t = useTexts(filterTexts);
  const [typed, setTyped] = useState('');
  const { query, contacts, error, isFetching, refetch } = useContacts(typed, LIMIT);
  const options = optionsOf(contacts, query, t);
  const combobox = useCombobox({
    count: options.length,
    startsAt: 0,
    onChoose: (index) => onChoose(options[index]?.id ?? null),
  });

  return (
    <div className={styles.picker}>
      <label className="search">
        <span className="sr">{t('contact.find')}</span>
        <Icon name="search" />
        <input
          className="input"
          {...combobox.field}
          spellCheck={false}
          maxLength={120}
          placeholder={t('contact.find')}
          value={typed}
          data-focus-first
          onChange={({ target }) => {
            setTyped(target.value);
            combobox.reset();
          }}
        />
      </label>
      <div {...combobox.list(t('contact.list'))} className={styles.options}>
        {options.map((option, index) => (
          <div
            key={option.id ?? 'anyone'}
            {...combobox.option(index)}
            aria-current={option.id === contact || undefined}
            onPointerMove={() => combobox.setActive(index)}
          >
            <span className="clip">{option.name}</span>
            {option.note && <span className="clip num type-small ink-2">{option.note}</span>}
            {option.id === contact && <Icon name="check" />}
          </div>
        ))}
      </div>
      <p className={styles.status} role="status">
        {error ? t('contact.failed') : statusText(options.length, query, isFetching, t)}
        {error && <Button look="small" label={t('retry')} onClick={() => void refetch()} />}
      </p>
    </div>
  );
}

/** Everyone and oneself, if they match, then the contacts found. */
function optionsOf(contacts: Contact[], query: string, t: Translate<FilterTexts>): Option[] {
  const fixed: Option[] = [
    { id: null, name: t('contact.anyone'), note: '' },
    { id: '', name: t('myself'), note: '' },
  ];
  const isTyped = ({ name }: Option) => !query || name.toLowerCase().includes(query.toLowerCase());
  const found = contacts.map((contact) => ({
    id: contact.id,
    name: contactLabel(contact),
    note: contact.name && contact.name !== contact.id ? spacedId(contact.id) : '',
  }));
  return [...fixed.filter(isTyped), ...found];
}

function statusText(count: number, query: string, isLoading: boolean, t: Translate<FilterTexts>): string {
  if (isLoading) return '';
  if (query && count === 0) return t('contact.none');
  return !query && count === 2 ? t('contact.empty') : '';
}

const TYPING_MS = 300;

interface RecordSearchProps {
  text: string;
  hintFor(text: string): string;
  /** Message about the submitted text; '' for none. */
  status: string;
  /** Called at every change of the text. */
  onEdit(text: string): void;
  /** Called after a pause in typing. */
  onType(text: string): void;
  /** Called on Enter. Returns the text that remains in the field. */
  onSubmit(text: string): string;
  onClear(): void;
}

/** The search field. Does not search while an input method is composing. */
function RecordSearch(props: RecordSearchProps) {
  const t = useTexts(filterTexts);
  const { text, hintFor, status, onEdit, onType, onSubmit, onClear } = props;
  const [draft, setDraft] = useState(text);
  /** The text last sent by this field or received from outside. */
  const [sent, setSent] = useState(text);
  const [given, setGiven] = useState(text);
  const [hasFocus, setFocus] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const isComposing = useRef(false);
  const latest = useRef(onType);
  const hintId = useId();
  latest.current = onType;
  if (text !== given) {
    setGiven(text);
    // The text changed from outside: a chip, or the browser's back button. Text being typed is kept.
    if (text !== sent && draft === sent) setDraft(text);
    setSent(text);
  }

  useEffect(() => () => clearTimeout(timer.current), []);

  const rest = (typed: string) => {
    clearTimeout(timer.current);
    if (isComposing.current) return;
    timer.current = setTimeout(() => {
      setSent(typed);
      latest.current(typed);
    }, TYPING_MS);
  };
  const handleKey = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && draft) {
      event.preventDefault();
      clear();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    clearTimeout(timer.current);
    const rest = onSubmit(draft);
    setSent(rest);
    setDraft(rest);
  };
  const clear = () => {
    clearTimeout(timer.current);
    setSent('');
    setDraft('');
    onEdit('');
    onClear();
    input.current?.focus();
  };

  return (
    <div className={`search ${styles.search}`}>
      <Icon name="search" />
      <input
        ref={input}
        className="input"
        dir="auto"
        type="search"
        name="q"
        enterKeyHint="search"
        aria-label={t('search')}
        aria-describedby={hintId}
        placeholder={t('search.placeholder')}
        maxLength={1000}
        autoComplete="off"
        value={draft}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        onChange={({ target }) => {
          setDraft(target.value);
          onEdit(target.value);
          rest(target.value);
        }}
        onCompositionStart={() => {
          isComposing.current = true;
          clearTimeout(timer.current);
        }}
        onCompositionEnd={({ currentTarget }) => {
          isComposing.current = false;
          rest(currentTarget.value);
        }}
        onKeyDown={handleKey}
      />
      {draft && <IconButton icon="close" label={t('search.clear')} isSmall onClick={clear} />}
      <p className={styles.hint} id={hintId} hidden={!hasFocus || status !== ''}>
        {hintFor(draft)}
      </p>
      <p className={styles.several} role="status">
        {status}
      </p>
    </div>
  );
}
