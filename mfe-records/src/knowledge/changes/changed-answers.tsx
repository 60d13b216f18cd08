import type { ChangedAnswer, KnowledgeCheck } from 'api/contract/knowledge';
import { useTexts } from 'host/ui/screen.tsx';
import { SourceMark } from 'host/ui/source-mark.tsx';
import { SavedAnswer } from '../../lib/saved-answer.tsx';
import { knowledgeTexts } from '../../lib/texts.ts';
import styles from './changed-answers.module.css';
import { ChangedQuestions, GoldenChange } from './golden-result.tsx';

const SHOWN = 20;

/** The golden and curated questions that would be answered differently. */
export function ChangedAnswers({ check }: { check: KnowledgeCheck }) {
  const t = useTexts(knowledgeTexts);
  return (
    <>
      {check.golden.length > 0 && (
        <ChangedQuestions title={t('golden.check', { count: check.golden.length })} changes={check.golden}>
          {(change) => <GoldenChange {...change} />}
        </ChangedQuestions>
      )}
      {check.changed.length > 0 && <ChangedCurated check={check} />}
    </>
  );
}

/** Each curated question with both answers side by side. */
function ChangedCurated({ check }: { check: KnowledgeCheck }) {
  const t = useTexts(knowledgeTexts);
  const { checked, isPartial, changed } = check;
  const rest = changed.length - SHOWN;
  return (
    <section className={styles.changed} aria-label={t('check.title', { count: changed.length })}>
      <h3>{t('check.title', { count: changed.length })}</h3>
      <p className="type-small quiet">{t(isPartial ? 'check.partial' : 'check.about', { checked })}</p>
      <ol className="ruled rule-above">
        {changed.slice(0, SHOWN).map((one) => (
          <li key={one.question}>
            <h4 className="breakable">{one.question}</h4>
            <div className={styles.sides}>
              <Side label={t('check.before')} side={one.before} question={one.question} />
              <Side label={t('check.after')} side={one.after} question={one.question} />
            </div>
          </li>
        ))}
      </ol>
      {rest > 0 && <p className="type-small">{t('check.rest', { count: rest })}</p>}
    </section>
  );
}

interface SideProps {
  label: string;
  side: ChangedAnswer['before'];
  question: string;
}

function Side({ label, side: { source, answer }, question }: SideProps) {
  const t = useTexts(knowledgeTexts);
  return (
    <div className={styles.side}>
      <p className={styles.label}>
        <span>{label}</span>
        <SourceMark source={source} label={t(`source.${source}`)} />
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard */}
      <section className={styles.answer} aria-label={`${question} ${label}`} tabIndex={0}>
        {answer && source !== 'none' ? (
          <SavedAnswer markdown={answer} />
        ) : (
          <p className="quiet">{t('check.nothing')}</p>
        )}
      </section>
    </div>
  );
}
