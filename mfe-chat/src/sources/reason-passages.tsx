import type { AnswerReason } from 'api/contract/answers';
import { SOURCE_TEXTS } from 'host/ui/source-viewer/source-texts.ts';
import { SourceViewer } from 'host/ui/source-viewer/source-viewer.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useMemo, useState } from 'react';
import { useChat } from '../shared/chat-context.ts';
import styles from './answer-reason.module.css';
import { useReasonTexts } from './answer-reason-texts.ts';
import { createSourceReader } from './source-reader.ts';

type Ranked = AnswerReason['ranked'][number];

/** The passages that were considered, best first: how much of the question each covers, what it lacks, and whether it was used. */
export function ReasonPassages({ reason: { ranked, candidates } }: { reason: AnswerReason }) {
  const { services } = useChat();
  const t = useReasonTexts();
  const sourceTexts = useTranslate(services.i18n, SOURCE_TEXTS);
  const reader = useMemo(() => createSourceReader(services.http), [services]);
  const [open, setOpen] = useState<Ranked | null>(null);
  return (
    <section>
      <h3>{t('passages')}</h3>
      <p className={styles.fact}>
        {t('lookedAt', {
          count: candidates.toLocaleString(services.i18n.locale()),
          shown: ranked.length,
        })}
      </p>
      <ol className={styles.passages}>
        {ranked.map((one) => (
          <li key={one.href} data-taken={one.taken || undefined}>
            <button type="button" aria-haspopup="dialog" onClick={() => setOpen(one)}>
              <b className="clip">{one.title}</b>
              {one.place && <span className="clip">{one.place}</span>}
            </button>
            <span className={`tag ${one.taken ? 'success' : ''}`}>{t(one.taken ? 'taken' : 'notTaken')}</span>
            <span className={styles.coverage}>
              <span className="progress" aria-hidden="true">
                <i style={{ width: `${Math.round(one.coverage * 100)}%` }} />
              </span>
              <small>{t('coverage', { percent: Math.round(one.coverage * 100) })}</small>
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
        <SourceViewer
          source={{ title: open.title, href: open.href }}
          reader={reader}
          t={sourceTexts}
          variant="dialog"
          onProblem={(text) => void services.toasts.show({ kind: 'error', text })}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  );
}
