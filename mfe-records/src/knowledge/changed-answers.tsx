import type { ChangedAnswer, KnowledgeCheck } from 'api/contract/knowledge';
import type { Translate } from 'host/contract';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { SavedAnswer } from '../lib/saved-answer.tsx';
import styles from './changed-answers.module.css';
import type { KnowledgeTexts } from './knowledge-texts.ts';

const SHOWN = 20;

/** The curated questions that would be answered differently: each with both answers side by side. */
export function ChangedAnswers({ check, t }: { check: KnowledgeCheck; t: Translate<KnowledgeTexts> }) {
  const { checked, isPartial, changed } = check;
  const rest = changed.length - SHOWN;
  return (
    <section className={styles.changed} aria-label={t('check.title', { count: changed.length })}>
      <h3>{t('check.title', { count: changed.length })}</h3>
      <p className="quiet">{t(isPartial ? 'check.partial' : 'check.about', { checked })}</p>
      <ol>
        {changed.slice(0, SHOWN).map((one) => (
          <li key={one.question}>
            <h4>{one.question}</h4>
            <div className={styles.sides}>
              <Side label={t('check.before')} side={one.before} question={one.question} t={t} />
              <Side label={t('check.after')} side={one.after} question={one.question} t={t} />
            </div>
          </li>
        ))}
      </ol>
      {rest > 0 && <p>{t('check.rest', { count: rest })}</p>}
    </section>
  );
}

interface SideProps {
  label: string;
  side: ChangedAnswer['before'];
  question: string;
  t: Translate<KnowledgeTexts>;
}

function Side({ label, side: { source, answer }, question, t }: SideProps) {
  return (
    <div className={styles.side}>
      <p className={styles.label}>
        <span>{label}</span>
        <SourceMark source={source} label={t(`source.${source}`)} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
      <section className={styles.answer} aria-label={`${question} ${label}`} tabIndex={0}>
        {answer && source !== 'none' ? (
          <SavedAnswer markdown={answer} t={t} />
        ) : (
          <p className="quiet">{t('check.nothing')}</p>
        )}
      </section>
    </div>
  );
}
