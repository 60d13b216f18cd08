import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { PdfRequest } from 'api/contract/archives';
import type { Contact } from 'api/contract/records';
import { Button } from 'host/ui/button.tsx';
import { PdfPreview } from 'host/ui/documents/pdf-preview.tsx';
import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { Fault } from 'host/ui/fault.tsx';
import { formatSize } from 'host/ui/format-size.ts';
import { pause } from 'host/ui/queries.ts';
import { fileNameOf, saveFile } from 'host/ui/save-file.ts';
import { useFormats, useTexts } from 'host/ui/screen.tsx';
import { Switch } from 'host/ui/switch.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useAction } from 'host/ui/use-action.ts';
import { useEffect, useState } from 'react';
import { contactLabel } from '../history/filters/contact-label.ts';
import { type Filter, toRecordFilter } from '../history/filters/filter.ts';
import { useServices } from '../lib/services.ts';
import styles from './preview.module.css';
import { totalText } from './series.ts';
import type { Counted } from './use-report.ts';
import { useWords, type Words } from './use-words.ts';

const TITLE_MAX = 200;
/** Maximum number of records in one PDF. */
const RECORDS_MAX = 5000;
/** Pause after which a typed title is shown, in ms. */
const TYPING_MS = 400;

/** The first pages of the PDF, its title and its download. */
export function Preview({ counted }: { counted: Counted }) {
  const { t, days, numbers } = useWords();
  const { http } = useServices();
  const { language } = useFormats();
  const { filter, stats } = counted;
  const asked = toRecordFilter(filter);
  const [typed, setTyped] = useState<string | null>(null);
  const [mask, setMask] = useState(true);
  const [questionsOnly, setQuestionsOnly] = useState(false);
  const pdf = usePdf();
  const proposed = defaultTitle({ filter, contact: contactOf(filter.contact, counted), t, days });
  const title = typed ?? proposed;
  const request = { filter: asked, title: title.trim() || proposed, mask, questionsOnly };
  const isTooMany = stats.total + (stats.totalIsMore ? 1 : 0) > RECORDS_MAX;
  const total = totalText(stats, numbers);
  const pages = useTexts(sourceTexts);
  const first = useQuery({
    queryKey: ['report preview', request, stats.total, language],
    queryFn: async ({ signal }) => {
      if (typed !== null) await pause(TYPING_MS, signal);
      const { data, headers } = await http.post<Blob>('/api/preview_pdf', request, {
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
  const rest = stats.totalIsMore ? 0 : stats.total - (first.data?.records ?? stats.total);

  return (
    <aside className={`no-print ${styles.preview}`} aria-label={t('preview')}>
      {isBroken && (
        <div className="failed">
          <p>{t('preview.broken')}</p>
          <Button label={t('retry')} onClick={() => void first.refetch()} />
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
        <TextField
          label={t('option.title')}
          maxLength={TITLE_MAX}
          autoComplete="off"
          value={title}
          onText={setTyped}
          onBlur={() => typed !== null && !typed.trim() && setTyped(null)}
        />
        <Switch label={t('option.mask')} note={t('option.mask.about')} isOn={mask} onChange={setMask} />
        <Switch
          label={t('option.questions')}
          note={t('option.questions.about')}
          isOn={questionsOnly}
          onChange={setQuestionsOnly}
        />
        {isTooMany && <Fault>{t('pdf.tooMany', { max: numbers.format(RECORDS_MAX), count: total })}</Fault>}
        {pdf.failure && !pdf.running && <Fault>{t('pdf.failed', { message: pdf.failure.message })}</Fault>}
        {pdf.running ? (
          <div className="line spread gap-s3 type-small num">
            <p>
              {pdf.running.received > 0
                ? t('pdf.receiving', { size: formatSize(pdf.running.received) })
                : t('pdf.making', { seconds: numbers.format(pdf.running.seconds) })}
            </p>
            <Button label={t('cancel')} onClick={pdf.cancel} />
          </div>
        ) : (
          <Button
            look="primary"
            icon="download"
            label={t('pdf.make', { count: total })}
            type="submit"
            isOff={isTooMany}
          />
        )}
        <span className="sr" role="status">
          {pdf.running ? t('pdf.making', { seconds: 0 }) : ''}
        </span>
      </form>
    </aside>
  );
}

/** The filter's contact, with its name if the figures contain it. */
function contactOf(id: string | null, { stats }: Counted): Contact | null {
  if (!id) return null;
  return stats.byContact.find(({ contact }) => contact?.id === id)?.contact ?? { id, name: '' };
}

const NOTHING = { seconds: 0, received: 0 };

/** Requests a PDF and downloads it, one at a time. Unmounting cancels it. */
function usePdf() {
  const { t } = useWords();
  const { http, toasts } = useServices();
  const { isBusy, failure, run, cancel } = useAction();
  const [progress, setProgress] = useState(NOTHING);
  useEffect(() => {
    if (!isBusy) return;
    const since = Date.now();
    const tick = () => {
      const seconds = Math.floor((Date.now() - since) / 1000);
      setProgress((before) => ({ ...before, seconds }));
    };
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isBusy]);

  const make = (request: PdfRequest) =>
    run(async (signal) => {
      setProgress(NOTHING);
      const { data, headers } = await http.post<Blob>('/api/generate_pdf', request, {
        responseType: 'blob',
        signal,
        onDownloadProgress: ({ loaded }) => {
          if (!signal.aborted) setProgress((before) => ({ ...before, received: loaded }));
        },
      });
      if (signal.aborted) return;
      const name = fileNameOf(headers['content-disposition']) || `${request.title || t('default.all')}.pdf`;
      saveFile(data, name);
      const pages = Number(headers['x-pages']);
      const text = pages > 0 ? t('pdf.done.pages', { count: pages, name }) : t('pdf.done', { name });
      toasts.show({ kind: 'success', text });
    });

  return {
    /** Progress of the PDF: elapsed seconds and received bytes. */
    running: isBusy ? progress : undefined,
    failure,
    make: (request: PdfRequest) => void make(request),
    cancel,
  };
}

interface TitleWords extends Pick<Words, 't' | 'days'> {
  filter: Filter;
  /** The contact of the filter, with its name if known. */
  contact: Contact | null;
}

/** Default title of the report: days, contact and other filters. The API masks it like the rest of the report. */
function defaultTitle(words: TitleWords): string {
  const what = filterWords(words).join(words.t('default.join'));
  if (!what) return words.t('default.all');
  return words
    .t('default.of', { what: `${what}${/[\p{Script=Han}”]$/u.test(what) ? '' : ' '}` })
    .trim()
    .slice(0, TITLE_MAX);
}

function filterWords({ filter, contact, t, days }: TitleWords): string[] {
  const { text, from, to, source, feedback } = filter;
  return [
    (from || to) && days.range(from, to),
    filter.contact === '' ? t('myself') : contact ? contactLabel(contact) : '',
    text.trim() && t('default.text', { text: text.trim() }),
    source && t(`source.${source}`),
    feedback && t(`feedback.${feedback}`),
  ].filter(Boolean) as string[];
}
