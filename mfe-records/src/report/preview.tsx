import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Contact } from 'api/contract/records';
import type { HostServices } from 'host/contract';
import { PdfPreview } from 'host/ui/documents/pdf-preview.tsx';
import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { Icon } from 'host/ui/icon.tsx';
import { pause } from 'host/ui/queries.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useId, useState } from 'react';
import { toRecordFilter } from '../history/filters/filter.ts';
import { defaultTitle } from './default-title.ts';
import styles from './preview.module.css';
import type { ReportTexts } from './report-texts.ts';
import { usePdf } from './use-pdf.ts';
import type { Counted } from './use-report.ts';

const TITLE_MAX = 200;
/** Maximum number of records in one PDF. */
const RECORDS_MAX = 5000;
/** Pause after which a typed title is shown, in ms. */
const TYPING_MS = 400;

interface PreviewProps extends ReportTexts {
  services: HostServices;
  counted: Counted;
}

/** First pages, title and download of the PDF. */
export function Preview({ services, counted, t, days, numbers }: PreviewProps) {
  const { filter, stats } = counted;
  const asked = toRecordFilter(filter);
  const titleId = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [mask, setMask] = useState(true);
  const [questionsOnly, setQuestionsOnly] = useState(false);
  const pdf = usePdf(services, t);
  const proposed = defaultTitle({ filter, contact: contactOf(filter.contact, counted), t, days });
  const title = typed ?? proposed;
  const request = { filter: asked, title: title.trim() || proposed, mask, questionsOnly };
  const isTooMany = stats.total > RECORDS_MAX;
  const pages = useTranslate(services.i18n, sourceTexts);
  const language = useStream(services.i18n.language$);
  const first = useQuery({
    queryKey: ['report preview', request, stats.total, language],
    queryFn: async ({ signal }) => {
      if (typed !== null) await pause(TYPING_MS, signal);
      const { data, headers } = await services.http.post<Blob>('/api/preview_pdf', request, {
        responseType: 'blob',
        signal,
      });
      return { file: data, records: Number(headers['x-records']) };
    },
    placeholderData: keepPreviousData,
    enabled: !isTooMany,
  });
  const [unreadable, setUnreadable] = useState<Blob>();
  const file = first.data?.file;
  const isBroken = !isTooMany && (first.error !== null || (file !== undefined && file === unreadable));
  const rest = stats.total - (first.data?.records ?? stats.total);

  return (
    <aside className={styles.preview} aria-label={t('preview')}>
      {isBroken && (
        <div className={styles.broken}>
          <p>{t('preview.broken')}</p>
          <button className="button" type="button" onClick={() => void first.refetch()}>
            {t('retry')}
          </button>
        </div>
      )}
      {!isBroken && !isTooMany && (
        <PdfPreview
          file={file}
          t={pages}
          loading={t('preview.loading')}
          onFailed={() => setUnreadable(file)}
        />
      )}
      <form
        className={styles.options}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isTooMany) pdf.make(request);
        }}
      >
        {!isBroken && rest > 0 && (
          <p className="field-note">{t('preview.more', { count: numbers.format(rest) })}</p>
        )}
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
            {t('pdf.make', { count: numbers.format(stats.total) })}
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

function sizeOf(bytes: number, numbers: Intl.NumberFormat): string {
  return bytes < 1_000_000
    ? `${numbers.format(Math.max(1, Math.round(bytes / 1000)))} KB`
    : `${numbers.format(Math.round(bytes / 100_000) / 10)} MB`;
}
