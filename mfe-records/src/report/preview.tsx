import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Contact } from 'api/contract/records';
import type { FoundRecord, SearchPage } from 'api/contract/search';
import type { HostServices } from 'host/contract';
import { Icon } from 'host/ui/icon.tsx';
import { plural } from 'host/ui/plural.ts';
import { useId, useMemo, useState } from 'react';
import { dayIn } from '../filters/days.ts';
import { timeZone, toRecordFilter } from '../filters/filter.ts';
import { conditionsOf, defaultTitle } from './default-title.ts';
import { maskWithin } from './mask-contact.ts';
import styles from './preview.module.css';
import { PreviewPage } from './preview-page.tsx';
import { PreviewRecords } from './preview-records.tsx';
import type { ReportTexts } from './report-texts.ts';
import { seriesOf } from './series.ts';
import { usePdf } from './use-pdf.ts';
import type { Counted } from './use-report.ts';

const TITLE_MAX = 200;
/** Maximum number of records in one PDF. */
const RECORDS_MAX = 5000;
const SHOWN = 5;

interface PreviewProps extends ReportTexts {
  services: HostServices;
  counted: Counted;
  locale: string;
}

/** Preview, title and download of the PDF. */
export function Preview({ services, counted, locale, t, days, numbers }: PreviewProps) {
  const { filter, stats, at } = counted;
  const asked = toRecordFilter(filter);
  const titleId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [mask, setMask] = useState(true);
  const [questionsOnly, setQuestionsOnly] = useState(false);
  const pdf = usePdf(services, t);
  const first = useQuery({
    queryKey: ['first records', asked, stats.total],
    queryFn: async ({ signal }) =>
      (await services.http.post<SearchPage>('/api/search', { ...asked, limit: SHOWN }, { signal })).data
        .records,
    placeholderData: keepPreviousData,
  });
  const contact = contactOf(filter.contact, counted);
  const words = { filter, contact, mask, t, days };
  const proposed = defaultTitle(words);
  const title = typed ?? proposed;
  const records = first.data ?? [];
  const called = title.trim() || proposed;
  const shownTitle = mask ? maskWithin(called, contactsIn(records, contact)) : called;
  const series = useMemo(
    () => seriesOf(stats.byDay, filter, dayIn(timeZone(), at)),
    [stats.byDay, filter, at],
  );
  const isTooMany = stats.total > RECORDS_MAX;

  return (
    <aside className={styles.preview} aria-label={t('preview')}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
      <section className={styles.desk} aria-label={t('preview.pages')} tabIndex={0}>
        <PreviewPage
          stats={stats}
          series={series}
          title={shownTitle}
          conditions={conditionsOf(words)}
          mask={mask}
          at={at}
          locale={locale}
          {...{ t, days, numbers }}
        />
        {records.length > 0 && (
          <PreviewRecords
            records={records}
            total={stats.total}
            title={shownTitle}
            mask={mask}
            questionsOnly={questionsOnly}
            locale={locale}
            {...{ t, days, numbers }}
          />
        )}
        {first.error && <p className="field-note">{t('preview.broken')}</p>}
      </section>
      <form
        className={styles.options}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTooMany) pdf.make({ filter: asked, title: called, mask, questionsOnly });
        }}
      >
        <div className="field">
          <label htmlFor={titleId}>{t('option.title')}</label>
          <input
            className="input"
            id={titleId}
            maxLength={TITLE_MAX}
            autoComplete="off"
            value={title}
            onChange={({ target }) => setTyped(target.value)}
            onBlur={() => typed !== null && !typed.trim() && setTyped(null)}
          />
        </div>
        <Switch label={t('option.mask')} about={t('option.mask.about')} isOn={mask} onChange={setMask} />
        <Switch
          label={t('option.questions')}
          about={t('option.questions.about')}
          isOn={questionsOnly}
          onChange={setQuestionsOnly}
        />
        {isTooMany && (
          <p className="field-note error" role="alert">
            <Icon name="alert" />
            {t('pdf.tooMany', { max: numbers.format(RECORDS_MAX), count: numbers.format(stats.total) })}
          </p>
        )}
        {pdf.failure && !pdf.running && (
          <p className="field-note error" role="alert">
            <Icon name="alert" />
            {t('pdf.failed', { message: pdf.failure.message })}
          </p>
        )}
        {pdf.running ? (
          <div className={styles.running}>
            <p>
              {pdf.running.received > 0
                ? t('pdf.receiving', { size: sizeOf(pdf.running.received, numbers) })
                : t('pdf.making', { seconds: numbers.format(pdf.running.seconds) })}
            </p>
            <button className="button" type="button" onClick={pdf.cancel}>
              {t('pdf.cancel')}
            </button>
          </div>
        ) : (
          <button className="button primary" type="submit" aria-disabled={isTooMany || undefined}>
            <Icon name="download" className="icon-s" />
            {plural(t, 'pdf.make', stats.total, { count: numbers.format(stats.total) })}
          </button>
        )}
        <span className="sr" role="status">
          {pdf.running ? t('pdf.making', { seconds: 0 }) : ''}
        </span>
      </form>
    </aside>
  );
}

interface SwitchProps {
  label: string;
  about: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
}

function Switch({ label, about, isOn, onChange }: SwitchProps) {
  return (
    <label className={styles.option}>
      <span>
        {label}
        <small>{about}</small>
      </span>
      <input
        className="switch"
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}

/** The filter's contact, with its name if the figures contain it. */
function contactOf(id: string | null, { stats }: Counted): Contact | null {
  if (!id) return null;
  return stats.byContact.find(({ contact }) => contact?.id === id)?.contact ?? { id, name: '' };
}

function contactsIn(records: FoundRecord[], contact: Contact | null): Contact[] {
  return [contact, ...records.map((record) => record.contact)].filter((one) => one !== null);
}

function sizeOf(bytes: number, numbers: Intl.NumberFormat): string {
  return bytes < 1_000_000
    ? `${numbers.format(Math.max(1, Math.round(bytes / 1000)))} KB`
    : `${numbers.format(Math.round(bytes / 100_000) / 10)} MB`;
}
