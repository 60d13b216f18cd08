import { useQuery } from '@tanstack/react-query';
import type { AnswerReason } from 'api/contract/answers';
import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { Late } from 'host/ui/late-part.tsx';
import { NoticeList } from 'host/ui/reading-notices/reading-notices.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useState } from 'react';
import { useChat, usePartTexts } from '../state/chat-context.ts';
import { type ReasonTexts, reasonTexts } from '../state/part-texts.ts';
import styles from './answer-reason.module.css';
import { citedSource } from './source-view.tsx';

const VERDICT = {
  curated: 'verdictCurated',
  answered: 'verdictAnswered',
  weak: 'verdictWeak',
  nothing: 'verdictNothing',
} as const satisfies Record<AnswerReason['verdict'], keyof ReasonTexts>;

/** Explains why a question was answered as it was: search terms, passages that were considered, and what they lack. */
export function AnswerReasonDialog({ recordId, onClose }: { recordId: string; onClose(): void }) {
  const t = usePartTexts(reasonTexts);
  const { services, chat } = useChat();
  const {
    data: reason,
    error,
    isFetching,
    refetch,
  } = useQuery(
    {
      queryKey: ['reason', recordId],
      queryFn: async ({ signal }) =>
        (await services.http.get<AnswerReason>(`/api/records/${recordId}/why`, { signal })).data,
    },
    chat.queries,
  );
  return (
    <Dialog title={t('title')} bodyClassName={styles.body} isReading onClose={onClose}>
      {error && !isFetching && (
        <div className={styles.failed} role="alert">
          <p>{error.status === 404 ? t('unknown') : error.message}</p>
          {error.status !== 404 && (
            <Button look="small" icon="retry" label={t('retry')} onClick={() => void refetch()} />
          )}
        </div>
      )}
      {isFetching && <Skeleton label={t('loading')} lines={['most', 'half', 'most']} />}
      {reason && <Reason reason={reason} />}
    </Dialog>
  );
}

function Reason({ reason }: { reason: AnswerReason }) {
  const t = usePartTexts(reasonTexts);
  const { verdict, rewritten, context = [], pair, terms, ranked, incomplete = [] } = reason;
  return (
    <>
      <p className="type-read">{t(VERDICT[verdict])}</p>
      {incomplete.length > 0 && (
        <section>
          <h3>{t('incomplete')}</h3>
          <ul className="stack type-small breakable">
            {incomplete.map(({ title, notices }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: titles may be equal
              <li key={index}>
                {title}
                <NoticeList notices={notices} t={t} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {context.length > 0 && (
        <section>
          <h3>{t('context')}</h3>
          <ul className="stack gap-s1">
            {context.map((question) => (
              <li key={question} className="quoted">
                {question}
              </li>
            ))}
          </ul>
        </section>
      )}
      {rewritten && context.length === 0 && (
        <section>
          <h3>{t('rewritten')}</h3>
          <p className="quoted">{rewritten}</p>
        </section>
      )}
      {pair && (
        <section>
          <h3>{t('pair')}</h3>
          <p>{pair.question}</p>
          <p className="type-meta quiet">{t('similarity', { percent: percentOf(pair.similarity) })}</p>
        </section>
      )}
      {terms.length > 0 && <Terms reason={reason} />}
      {ranked.length > 0 && <Passages reason={reason} />}
    </>
  );
}

/** The search terms, highest weight first. A term that occurs in few passages has a high weight. */
function Terms({ reason: { terms, total } }: { reason: AnswerReason }) {
  const { services } = useChat();
  const t = usePartTexts(reasonTexts);
  const locale = services.i18n.locale();
  const heaviest = Math.max(...terms.map(({ weight }) => weight), Number.EPSILON);
  return (
    <section>
      <h3>{t('terms')}</h3>
      <p className="type-meta quiet">{t('termsHint')}</p>
      <ul className={`stack gap-6px mt-s2 type-small ${styles.terms}`}>
        {terms
          .toSorted((a, b) => b.weight - a.weight)
          .map(({ word, weight, passages }) => (
            <li key={word}>
              <span className="clip">{word}</span>
              <span className="progress" aria-hidden="true">
                <i style={{ width: `${(weight / heaviest) * 100}%` }} />
              </span>
              <small className="num">
                {passages === 0
                  ? t('inNone')
                  : t('inPassages', {
                      count: passages.toLocaleString(locale),
                      total: total.toLocaleString(locale),
                    })}
              </small>
            </li>
          ))}
      </ul>
    </section>
  );
}

type Ranked = AnswerReason['ranked'][number];

/** The passages that were considered, best first: how much of the question each covers, what it lacks, and whether it was used. */
function Passages({ reason: { ranked, candidates } }: { reason: AnswerReason }) {
  const { services } = useChat();
  const t = usePartTexts(reasonTexts);
  const [open, setOpen] = useState<Ranked | null>(null);
  return (
    <section>
      <h3>{t('passages')}</h3>
      <p className="type-meta quiet">
        {t('lookedAt', {
          count: candidates.toLocaleString(services.i18n.locale()),
          shown: ranked.length,
        })}
      </p>
      <ol className={`stack gap-6px mt-s2 type-small ${styles.passages}`}>
        {ranked.map((one) => (
          <li key={one.href} data-taken={one.taken || undefined}>
            <button className="unboxed" type="button" aria-haspopup="dialog" onClick={() => setOpen(one)}>
              <b className="clip">{one.title}</b>
              {one.place && <span className="type-meta quiet clip">{one.place}</span>}
            </button>
            <span className={`tag ${one.taken ? 'success' : ''}`}>{t(one.taken ? 'taken' : 'notTaken')}</span>
            <span className={styles.coverage}>
              <span className="progress" aria-hidden="true">
                <i style={{ width: `${percentOf(one.coverage)}%` }} />
              </span>
              <small className="num">{t('coverage', { percent: percentOf(one.coverage) })}</small>
            </span>
            <small className={styles.missing}>
              {one.missing.length > 0
                ? t('missing', { words: one.missing.join(t('comma')) })
                : t('missesNothing')}
            </small>
          </li>
        ))}
      </ol>
      {open && (
        <Late part={citedSource} onFailed={() => setOpen(null)}>
          {({ ChatSource }) => (
            <ChatSource
              source={{ title: open.title, href: open.href }}
              variant="dialog"
              onClose={() => setOpen(null)}
            />
          )}
        </Late>
      )}
    </section>
  );
}

/** A share from 0 to 1 as a rounded percentage. */
function percentOf(share: number): number {
  return Math.round(Math.max(0, Math.min(1, share)) * 100);
}
