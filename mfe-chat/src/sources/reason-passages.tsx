import type { AnswerReason } from 'api/contract/answers';
import { Late } from 'host/ui/late-part.tsx';
import { useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import { reasonTexts, useTexts } from '../state/part-texts.ts';
import styles from './answer-reason.module.css';
import { citedSource } from './source-view.tsx';

type Ranked = AnswerReason['ranked'][number];

/** The passages that were considered, best first: how much of the question each covers, what it lacks, and whether it was used. */
export function ReasonPassages({ reason: { ranked, candidates } }: { reason: AnswerReason }) {
  const { services } = useChat();
  const t = useTexts(reasonTexts);
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
                <i style={{ width: `${Math.round(one.coverage * 100)}%` }} />
              </span>
              <small className="num">{t('coverage', { percent: Math.round(one.coverage * 100) })}</small>
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
