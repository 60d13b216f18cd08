import { useQuery } from '@tanstack/react-query';
import type { Citation } from 'api/contract/answers';
import type { DeskRecord, AnsweredSince as Since } from 'api/contract/records';
import type { FeedbackRequest, FoundRecord } from 'api/contract/search';
import type { Translate } from 'host/contract';
import { Button } from 'host/ui/button.tsx';
import { CitationMark } from 'host/ui/citation-mark.tsx';
import { citedPlace } from 'host/ui/cited-place.ts';
import { copyText } from 'host/ui/copy-text.ts';
import { asFailure } from 'host/ui/failure.ts';
import { FoldedRest } from 'host/ui/folded-rest.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { markDoubts, shownCitations } from 'host/ui/mark-doubts.ts';
import { EmptyState } from 'host/ui/problem.tsx';
import { QuotedText } from 'host/ui/quoted-text.tsx';
import { NoticeDetails } from 'host/ui/reading-notices/reading-notices.tsx';
import { Time, useTexts } from 'host/ui/screen.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { TextField } from 'host/ui/text-field.tsx';
import { useObjectUrl } from 'host/ui/use-object-url.ts';
import { type FormEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { AnswererMark } from '../lib/answerer-mark.tsx';
import { Fact } from '../lib/fact.tsx';
import { formatDuration } from '../lib/format-duration.ts';
import listStyles from '../lib/list.module.css';
import { LoadProblem } from '../lib/load-problem.tsx';
import { BackLink, useEscapeBack } from '../lib/open-item.tsx';
import { SavedAnswer } from '../lib/saved-answer.tsx';
import { useDesk, useServices } from '../lib/services.ts';
import { SourceDialog } from '../lib/source-dialog-part.ts';
import { type HistoryTexts, historyTexts } from '../lib/texts.ts';
import type { Transfer } from '../lib/transfer.tsx';
import styles from './detail.module.css';
import { contactAddress, fullContactLabel } from './filters/contact-label.ts';
import { inTimeZone } from './filters/filter.ts';
import { foundWords, markRanges, markWords, rangesOf } from './mark-ranges.tsx';
import type { Chosen } from './use-found-records.ts';

interface RecordDetailProps extends Pick<DetailPaneProps, 'isChosen' | 'backAddress' | 'transfer'> {
  record: FoundRecord;
  onChange(part: Partial<DeskRecord>): void;
  onErase(): void;
}

/** One record in full: question, answer, sources and actions. */
function RecordDetail(props: RecordDetailProps) {
  const t = useTexts(historyTexts);
  const { record, isChosen, backAddress, transfer, onChange, onErase } = props;
  const { toasts } = useServices();
  const sources = useRef<HTMLElement>(null);
  const [passage, setPassage] = useState(0);
  const duration = durationText(record, t);
  const cited = record.citations[passage - 1];
  const shown = shownCitations(record.answer, record.citations, record.doubts);
  const words = useMemo(() => foundWords(record), [record]);

  const copy = () => copyText(record.answer, toasts, { copied: t('copied'), failed: t('copy.failed') });
  const print = () =>
    transfer.save({
      label: t('transfer.pdf'),
      name: `${t('file.records')}.pdf`,
      url: '/api/generate_pdf',
      body: { ids: [record.id], ...inTimeZone() },
    });
  const showSource = (n: number) => {
    sources.current?.querySelector<HTMLElement>(`[data-source="${n}"]`)?.focus();
  };

  return (
    <article className={`${styles.detail} ${listStyles.open}`} aria-label={t('detail')}>
      <BackLink className={styles.back} to={backAddress} label={t('back')} takesFocus={isChosen} />
      <h2 className={listStyles.question} dir="auto">
        {markRanges(record.question, rangesOf(record, 'question'))}
      </h2>
      <p className={`mb-s5 ${listStyles.meta}`}>
        <Time at={record.createdAt} />
        {record.status === 'done' && <AnswererMark record={record} isLong />}
        {record.versionOf && <span>{t('version', { number: record.versionOf.number })}</span>}
        {record.kind === 'predict' && <span>{t('predict')}</span>}
        {record.model && <span>{t('model', { name: record.model })}</span>}
        {duration && <span className="num">{duration}</span>}
      </p>
      <RecordFiles record={record} transfer={transfer} />
      {record.reasoning && (
        <details className={`mb-s4 type-small ink-2 ${styles.reasoning}`}>
          <summary>{t('reasoning')}</summary>
          <p className="well verbatim" dir="auto">
            {record.reasoning}
          </p>
        </details>
      )}
      {record.understoodAs && (
        <p className={`${note} quiet`}>{t('understoodAs', { question: record.understoodAs })}</p>
      )}
      {record.answer && (
        <SavedAnswer
          markdown={markDoubts(record.answer, record.doubts)}
          citations={record.citations.length}
          onCite={showSource}
          showText={(text) => markWords(text, words)}
        />
      )}
      <FoldedRest citations={record.citations} sectionLabel={t('restOfSection')} rowLabel={t('restOfRow')}>
        {(markdown) => <SavedAnswer markdown={markdown} />}
      </FoldedRest>
      {record.unsupported && (
        <p className={`${note} quiet`}>{t('unsupported', { parts: record.unsupported.join(' · ') })}</p>
      )}
      {record.status !== 'done' && (
        <p className={`${note} ${record.status === 'failed' ? 'ink-error' : 'quiet'}`}>
          <Icon name={record.status === 'failed' ? 'alert' : 'info'} className="icon-s" />
          {t(`status.${record.status}.long`)}
        </p>
      )}
      {record.answeredByPerson && (
        <p className={`${note} quiet`}>
          <Icon name="info" className="icon-s" />
          {t('personReplied')}
        </p>
      )}
      {record.answeredSince && <LaterAnswer since={record.answeredSince} />}
      <div className="line wrap mt-s5 no-print">
        <Link
          className="button small"
          to={`/index?c=${encodeURIComponent(record.conversationId)}&r=${encodeURIComponent(record.id)}`}
        >
          <Icon name="chat" className="icon-s" />
          {t('open')}
        </Link>
        {record.answer && <Button look="small" icon="copy" label={t('copy')} onClick={copy} />}
        <Button look="small" icon="download" label="PDF" onClick={print} />
        <Button look="small danger-quiet" icon="trash" label={t('erase.one')} onClick={onErase} />
        <RecordRating record={record} onChange={(feedback) => onChange({ feedback })} />
      </div>
      {record.suggestions.length > 0 && (
        <section className={`divided type-small ${styles.sources}`} aria-label={t('suggestions')}>
          <h3 className="mb-s1 type-small strong ink-2">{t('suggestions')}</h3>
          <ul>
            {record.suggestions.map((question) => (
              <li key={question} dir="auto">
                {question}
              </li>
            ))}
          </ul>
        </section>
      )}
      {shown.length > 0 && <SourceList listRef={sources} citations={shown} onOpen={setPassage} />}
      <dl className={styles.facts}>
        <Fact name={t('contact')} className="num breakable">
          {record.contact ? (
            <Link to={contactAddress(record.contact.id)}>{fullContactLabel(record.contact)}</Link>
          ) : (
            t('myself')
          )}
        </Fact>
        <Fact name={t('asked')} className="num breakable">
          <Time at={record.createdAt} as="full" />
        </Fact>
        {record.files.length > 0 && (
          <div>
            <dt>{t('file')}</dt>
            {record.files.map((file) => (
              <dd className="num breakable" key={file.id}>
                {file.name}
              </dd>
            ))}
          </div>
        )}
      </dl>
      {cited && (
        <SourceDialog
          source={{ title: cited.title, href: cited.href, quote: cited }}
          steps={{ n: passage, count: record.citations.length, onStep: setPassage }}
          onClose={() => setPassage(0)}
        />
      )}
    </article>
  );
}

const NUMBERS = new Intl.NumberFormat('en');

const note = 'line gap-6px mt-s3 type-small';

/** '' if the answer is not complete. */
function durationText(
  { createdAt, answerStartedAt, answeredAt }: DeskRecord,
  t: Translate<HistoryTexts>,
): string {
  if (!answeredAt) return '';
  const duration = new Date(answeredAt).valueOf() - new Date(answerStartedAt ?? createdAt).valueOf();
  if (duration < 0) return '';
  if (duration < 50) return t('tookNoTime');
  const { value, unit } = formatDuration(duration, NUMBERS);
  return t(`took.${unit}`, { value });
}

/** A later answer by an editor, where the original found nothing or was rated not helpful. */
function LaterAnswer({ since }: { since: Since }) {
  const t = useTexts(historyTexts);
  return (
    <section className={`well mt-s5 ${styles.since}`} aria-label={t('answeredSince')}>
      <header>
        <h3>{t('answeredSince')}</h3>
        <SourceMark source="curated" label={t('source.curated.long')} />
        <Time at={since.at} as="day" />
      </header>
      <SavedAnswer markdown={since.answer} />
    </section>
  );
}

interface SourceListProps {
  listRef: RefObject<HTMLElement | null>;
  citations: (Citation & { n: number })[];
  /** Opens the passage of source `n`, numbered from 1 like the marks in the answer. */
  onOpen(n: number): void;
}

/** The sources of the answer, grouped by document, with place and quote of each. Withdrawn sources only have their title. */
function SourceList({ listRef, citations, onOpen }: SourceListProps) {
  const t = useTexts(historyTexts);
  const documents = [...Map.groupBy(citations, ({ title }) => title)];
  return (
    <section className={`divided type-small ${styles.sources}`} ref={listRef} aria-label={t('sources')}>
      <h3 className="mb-s1 type-small strong ink-2">{t('sources')}</h3>
      <ol>
        {documents.flatMap(([title, some]) =>
          some.map((citation, index) => (
            <li key={citation.n} data-source={citation.n} tabIndex={-1}>
              <CitationMark n={citation.n} className={styles.number} />
              <span>
                {index === 0 && (
                  <b className="breakable" dir="auto">
                    {title}
                  </b>
                )}
                <small className="ink-2" dir="auto">
                  {citedPlace(citation, (key, values) => t(`notice.${key}`, values))}
                </small>
              </span>
              {!citation.isWithdrawn && (
                <>
                  <button
                    className="link no-print type-small"
                    type="button"
                    aria-label={t('passage.of', { n: citation.n })}
                    onClick={() => onOpen(citation.n)}
                  >
                    {t('passage')}
                  </button>
                  <q className="quoted ink-2 breakable" dir="auto">
                    <QuotedText text={citation.quote} />
                  </q>
                </>
              )}
            </li>
          )),
        )}
      </ol>
    </section>
  );
}

interface DetailPaneProps {
  shown: Chosen;
  /** Whether the visitor chose the record; on a phone it then covers the list. */
  isChosen: boolean;
  /** The address of the list without a chosen record. */
  backAddress: string;
  transfer: Transfer;
  onChange(id: string, part: Partial<DeskRecord>): void;
  onErase(record: FoundRecord): void;
}

const pane = `${styles.detail} ${listStyles.open}`;

/** The chosen record beside the list, or why it cannot be shown. */
export function DetailPane({ shown, onChange, onErase, ...rest }: DetailPaneProps) {
  const t = useTexts(historyTexts);
  const { isChosen, backAddress } = rest;
  useEscapeBack(isChosen, backAddress);
  if (shown.status === 'ready') {
    const { record } = shown;
    return (
      <RecordDetail
        key={record.id}
        record={record}
        {...rest}
        onChange={(part) => onChange(record.id, part)}
        onErase={() => onErase(record)}
      />
    );
  }
  if (!isChosen) return <p className={`blank ${pane}`}>{t('history.choose')}</p>;
  const back = <BackLink className={styles.back} to={backAddress} label={t('back')} />;
  if (shown.status !== 'failed')
    return (
      <div className={pane}>
        {back}
        <Skeleton className="gap-s4" label={t('history.loading')} lines={['most', 'third', 'full', 'full']} />
      </div>
    );
  return (
    <div className={pane}>
      {back}
      {shown.failure.status === 404 ? (
        <EmptyState title={t('history.gone')} about={t('history.gone.about')}>
          <Link className="button" to={{ search: '?bin=1' }}>
            {t('bin.open')}
          </Link>
        </EmptyState>
      ) : (
        <LoadProblem failure={shown.failure} title={t('history.recordFailed')} onRetry={shown.retry} />
      )}
    </div>
  );
}

/** Pictures and files of a question. Both are loaded with the session's token, because only their owner may read them. */
function RecordFiles({ record: { imgUrls, files }, transfer }: { record: DeskRecord; transfer: Transfer }) {
  const t = useTexts(historyTexts);
  const documents = files.filter(({ url }) => !imgUrls.includes(url));
  if (imgUrls.length + documents.length === 0) return null;
  return (
    <section className="line wrap chips mb-s5" aria-label={t('file')}>
      {imgUrls.map((url) => (
        <Picture key={url} url={url} />
      ))}
      {documents.map((file) => (
        <div key={file.id}>
          <button
            className="chip"
            type="button"
            onClick={() => transfer.save({ label: file.name, name: file.name, url: file.url })}
          >
            <Icon name="file" />
            {file.name}
            <Icon name="download" />
          </button>
          {file.notices && <NoticeDetails notices={file.notices} t={t} />}
        </div>
      ))}
    </section>
  );
}

function Picture({ url }: { url: string }) {
  const { t, http } = useDesk(historyTexts);
  const isOurs = url.startsWith('/api/');
  const { data, error } = useQuery({
    queryKey: ['picture', url],
    queryFn: async ({ signal }) => (await http.get<Blob>(url, { responseType: 'blob', signal })).data,
    enabled: isOurs,
  });
  const source = useObjectUrl(data ?? null);
  if (error || !isOurs) return <p className="quiet">{t('picture.failed')}</p>;
  if (!source) return <span className={`skeleton-line ${styles.picture}`} />;
  return <img className={styles.picture} src={source} alt={t('picture')} />;
}

interface RecordRatingProps {
  record: DeskRecord;
  onChange(feedback: DeskRecord['feedback']): void;
}

const NOTE_MAX = 2000;

/** Rating buttons, shown as pressed immediately, and a note. The second press removes the rating. */
function RecordRating({ record, onChange }: RecordRatingProps) {
  const { t, http, toasts } = useDesk(historyTexts);
  const { id, feedback } = record;
  const [draft, setDraft] = useState<string | null>(null);
  /** The text that screen readers announce. */
  const [said, setSaid] = useState('');

  /** One request at a time, so that the last rating wins. */
  const queue = useRef({ length: 0, stored: feedback, end: Promise.resolve(true) });

  const rate = (next: DeskRecord['feedback']): Promise<boolean> => {
    const { current } = queue;
    if (current.length === 0) current.stored = feedback;
    current.length += 1;
    onChange(next);
    const send = async () => {
      try {
        // An empty note replaces the stored note; a missing one keeps it.
        const body: FeedbackRequest = { recordId: id, ...(next ?? { rating: 0 }) };
        await http.post('/api/feedback', body);
        current.stored = next;
        return true;
      } catch (error) {
        if (current.length === 1) onChange(current.stored);
        toasts.show({ kind: 'error', text: asFailure(error).message });
        return false;
      } finally {
        current.length -= 1;
      }
    };
    current.end = current.end.then(send);
    return current.end;
  };
  const press = (rating: 1 | -1) => {
    setDraft(null);
    setSaid(
      feedback?.rating === rating ? t('unrated') : t(rating === 1 ? 'rated.helpful' : 'rated.unhelpful'),
    );
    void rate(feedback?.rating === rating ? null : { rating, note: feedback?.note ?? '' });
  };
  const saveNote = async (event: FormEvent) => {
    event.preventDefault();
    if (!feedback || draft === null) return;
    if (await rate({ ...feedback, note: draft.trim() })) {
      setDraft(null);
      toasts.show({ kind: 'success', text: t('note.saved') });
    }
  };

  return (
    <>
      <fieldset className="cluster" aria-label={t('rating')}>
        <IconButton
          icon="thumb"
          label={t('helpful')}
          aria-pressed={feedback?.rating === 1}
          onClick={() => press(1)}
        />
        <IconButton
          icon="thumb"
          iconClassName="up"
          label={t('unhelpful')}
          aria-pressed={feedback?.rating === -1}
          onClick={() => press(-1)}
        />
        {feedback && draft === null && (
          <Button
            look="small bare"
            label={t(feedback.note ? 'note.edit' : 'note.add')}
            onClick={() => setDraft(feedback.note)}
          />
        )}
      </fieldset>
      <span className="sr" role="status">
        {said}
      </span>
      {feedback?.rating === -1 && <p className={`type-meta ink-2 ${styles.whole}`}>{t('note.visibility')}</p>}
      {feedback?.note && draft === null && (
        <p className={`type-small ink-2 verbatim ${styles.whole}`} dir="auto">
          {feedback.note}
        </p>
      )}
      {feedback && draft !== null && (
        <form className={`line wrap to-end ${styles.noteForm}`} onSubmit={saveNote}>
          <TextField
            label={t('note')}
            rows={2}
            maxLength={NOTE_MAX}
            value={draft}
            autoFocus
            onText={setDraft}
          />
          <Button look="small" label={t('cancel')} onClick={() => setDraft(null)} />
          <Button look="small primary" label={t('save')} type="submit" />
        </form>
      )}
    </>
  );
}
