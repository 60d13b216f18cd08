import type { AnswerReason } from 'api/contract/answers';
import { Button } from 'host/ui/button.tsx';
import { Dialog } from 'host/ui/dialog.tsx';
import { asFailure } from 'host/ui/failure.ts';
import { NoticeList } from 'host/ui/reading-notices/reading-notices.tsx';
import { Skeleton } from 'host/ui/skeleton.tsx';
import { useEffect, useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import styles from './answer-reason.module.css';
import { type ReasonTextKey, useReasonTexts } from './answer-reason-texts.ts';
import { ReasonPassages } from './reason-passages.tsx';

const VERDICT = {
  curated: 'verdictCurated',
  answered: 'verdictAnswered',
  weak: 'verdictWeak',
  nothing: 'verdictNothing',
} as const satisfies Record<AnswerReason['verdict'], ReasonTextKey>;

interface AnswerReasonDialogProps {
  recordId: string;
  onClose(): void;
}

/** Explains why a question was answered as it was: search terms, passages that were considered, and what they lack. */
export function AnswerReasonDialog({ recordId, onClose }: AnswerReasonDialogProps) {
  const t = useReasonTexts();
  const { reason, message, isGone, again } = useReason(recordId);
  return (
    <Dialog
      title={t('title')}
      closeLabel={t('close')}
      bodyClassName={styles.body}
      isReading
      onClose={onClose}
    >
      {message && (
        <div className={styles.failed} role="alert">
          <p>{isGone ? t('unknown') : message}</p>
          {again && <Button look="small" icon="retry" label={t('retry')} onClick={again} />}
        </div>
      )}
      {!message && !reason && <Skeleton label={t('loading')} lines={['most', 'half', 'most']} />}
      {reason && <Reason reason={reason} />}
    </Dialog>
  );
}

function Reason({ reason }: { reason: AnswerReason }) {
  const t = useReasonTexts();
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
      {ranked.length > 0 && <ReasonPassages reason={reason} />}
    </>
  );
}

/** The search terms, highest weight first. A term that occurs in few passages has a high weight. */
function Terms({ reason: { terms, total } }: { reason: AnswerReason }) {
  const { services } = useChat();
  const t = useReasonTexts();
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

function useReason(recordId: string): ReasonState & { again: (() => void) | null } {
  const { services } = useChat();
  const [state, setState] = useState<ReasonState>(EMPTY);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    const unmounted = new AbortController();
    setState(EMPTY);
    services.http.get<AnswerReason>(`/api/records/${recordId}/why`, { signal: unmounted.signal }).then(
      ({ data }) => unmounted.signal.aborted || setState({ ...EMPTY, reason: data }),
      (failed) => {
        if (unmounted.signal.aborted) return;
        const { status, message } = asFailure(failed);
        setState({ ...EMPTY, message, isGone: status === 404 });
      },
    );
    return () => unmounted.abort();
  }, [services, recordId, tries]);
  return { ...state, again: state.isGone ? null : () => setTries((count) => count + 1) };
}

interface ReasonState {
  reason: AnswerReason | null;
  message: string;
  /** True if a retry would not help. */
  isGone: boolean;
}

const EMPTY: ReasonState = { reason: null, message: '', isGone: false };

/** 0–1 as a rounded percentage. */
function percentOf(share: number): number {
  return Math.round(Math.max(0, Math.min(1, share)) * 100);
}
