import { useQuery } from '@tanstack/react-query';
import type { Contact } from 'api/contract/records';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { moveInMenu } from 'host/ui/menu.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useServices } from '../../lib/services.ts';
import { type FilterTexts, filterTexts } from '../../lib/texts.ts';
import { contactAddress, findContacts, fullContactLabel } from './contact-label.ts';
import { ContactOptions } from './contact-options.tsx';
import { DateChip } from './date-chip.tsx';
import { EVERYTHING, FEEDBACKS, type Filter, isEverything, OUTCOMES, SOURCES, type Step } from './filter.ts';
import styles from './filter-bar.module.css';
import { FilterChip } from './filter-chip.tsx';
import { RecordSearch } from './record-search.tsx';
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
        <ChoiceChip
          kind="source"
          values={SOURCES}
          labelOf={(source) => <SourceMark source={source} label={t(`source.${source}`)} />}
          value={filter.source}
          onChange={(source) => set({ source })}
        />
        <ChoiceChip
          kind="outcome"
          values={OUTCOMES}
          labelOf={(outcome) => <OutcomeMark outcome={outcome} label={t(`outcome.${outcome}`)} />}
          value={filter.outcome}
          onChange={(outcome) => set({ outcome })}
        />
        <ChoiceChip
          kind="feedback"
          values={FEEDBACKS}
          labelOf={(feedback) => t(`feedback.${feedback}`)}
          value={filter.feedback}
          onChange={(feedback) => set({ feedback })}
        />
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

interface ChoiceChipProps<T extends string> {
  kind: 'source' | 'outcome' | 'feedback';
  values: readonly T[];
  labelOf(value: T): ReactNode;
  /** '' matches everything. */
  value: T | '';
  onChange(value: T | ''): void;
}

/** A filter chip with a menu of a few values. Arrow keys, Home and End move in the menu. */
function ChoiceChip<T extends string>({ kind, values, labelOf, value, onChange }: ChoiceChipProps<T>) {
  const t = useTexts(filterTexts);
  const name = t(kind);
  return (
    <FilterChip
      label={value === '' ? name : labelOf(value)}
      isSet={value !== ''}
      title={name}
      off={t(`${kind}.off`)}
      opens="menu"
      onOff={() => onChange('')}
    >
      {(close) => (
        <div className={styles.choices} role="menu" aria-label={name} tabIndex={-1} onKeyDown={moveInMenu}>
          {(['', ...values] as const).map((choice) => (
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
              {choice === '' ? t(`${kind}.any`) : labelOf(choice)}
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
  const t = useTexts(filterTexts);
  const { http } = useServices();
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
