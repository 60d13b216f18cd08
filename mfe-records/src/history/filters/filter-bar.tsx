import type { HostServices } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { OutcomeMark, SourceMark } from 'host/ui/source-mark.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useRef } from 'react';
import { ChoiceChip } from './choice-chip.tsx';
import { ContactFilterChip } from './contact-filter-chip.tsx';
import { DateChip } from './date-chip.tsx';
import { EVERYTHING, FEEDBACKS, type Filter, isEverything, OUTCOMES, SOURCES } from './filter.ts';
import styles from './filter-bar.module.css';
import { filterTexts } from './filter-texts.ts';
import { RecordSearch } from './record-search.tsx';
import type { Step } from './use-filter.ts';
import { useRecognition } from './use-recognition.ts';

interface FilterBarProps {
  services: Pick<HostServices, 'http' | 'i18n'>;
  filter: Filter;
  /** Choosing adds a history entry, typing does not. See `useFilter`. */
  onChange(filter: Filter, step: Step): void;
  /** Shows the search field. */
  withText?: boolean;
}

/** The filters of the records below: text, contact, dates, source, outcome and rating, each a chip that can be removed. */
export function FilterBar({ services, filter, onChange, withText = true }: FilterBarProps) {
  const { http, i18n } = services;
  const t = useTranslate(i18n, filterTexts);
  const recognition = useRecognition(http, filter, t('myself'), onChange);
  const bar = useRef<HTMLDivElement>(null);
  const set = (part: Partial<Filter>, step: Step = 'push') => onChange({ ...filter, ...part }, step);

  return (
    // biome-ignore lint/a11y/useSemanticElements: the oldest supported browsers do not know <search>
    <div ref={bar} className={styles.bar} role="search" aria-label={t('filters')}>
      {withText && (
        <RecordSearch
          t={t}
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
      )}
      <div className={styles.chips}>
        <ContactFilterChip
          http={http}
          t={t}
          contact={filter.contact}
          onChange={(contact) => (contact === null ? recognition.dropContact() : set({ contact }))}
        />
        <DateChip
          locale={i18n.locale()}
          t={t}
          from={filter.from}
          to={filter.to}
          onChange={({ from, to }) => (from || to ? set({ from, to }) : recognition.dropDates())}
        />
        <ChoiceChip
          name={t('source')}
          off={t('source.off')}
          any={t('source.any')}
          closeLabel={t('close')}
          choices={SOURCES.map((source) => ({
            value: source,
            label: <SourceMark source={source} label={t(`source.${source}`)} />,
          }))}
          value={filter.source}
          onChange={(source) => set({ source })}
        />
        <ChoiceChip
          name={t('outcome')}
          off={t('outcome.off')}
          any={t('outcome.any')}
          closeLabel={t('close')}
          choices={OUTCOMES.map((outcome) => ({
            value: outcome,
            label: <OutcomeMark outcome={outcome} label={t(`outcome.${outcome}`)} />,
          }))}
          value={filter.outcome}
          onChange={(outcome) => set({ outcome })}
        />
        <ChoiceChip
          name={t('feedback')}
          off={t('feedback.off')}
          any={t('feedback.any')}
          closeLabel={t('close')}
          choices={FEEDBACKS.map((feedback) => ({ value: feedback, label: t(`feedback.${feedback}`) }))}
          value={filter.feedback}
          onChange={(feedback) => set({ feedback })}
        />
        {!isEverything(filter) && (
          <Button
            look={`bare small ${styles.clear}`}
            label={t('clear')}
            onClick={() => {
              // The button disappears.
              bar.current?.querySelector<HTMLElement>('input, button')?.focus();
              onChange(EVERYTHING, 'push');
            }}
          />
        )}
      </div>
    </div>
  );
}
