import type { ChangedGolden, GoldenResult, KnowledgeCheck } from 'api/contract/knowledge';
import { useTexts } from 'host/ui/screen.tsx';
import { OutcomeMark } from 'host/ui/source-mark.tsx';
import type { ReactNode } from 'react';
import { knowledgeTexts } from '../../lib/texts.ts';
import styles from './golden.module.css';

/** How a result compares with an earlier one; `other`: the answer differs, but is as good or bad as before. */
export type Trend = 'better' | 'worse' | 'other' | 'same';

export function trendOf(before: GoldenResult, after: GoldenResult): Trend {
  if (before.passes !== after.passes) return after.passes ? 'better' : 'worse';
  return before.outcome === after.outcome && before.cited[0] === after.cited[0] ? 'same' : 'other';
}

type Asked = NonNullable<KnowledgeCheck['unanswered']>[number]['before'];

/** The outcome of a question and the cited documents. */
export function ResultLine({ result }: { result: Asked }) {
  const t = useTexts(knowledgeTexts);
  const { outcome, cited } = result;
  return (
    <span className={styles.result}>
      <OutcomeMark outcome={outcome} label={t(`try.${outcome}`)} />
      {cited.length > 0 && <span dir="auto">{cited.join(' · ')}</span>}
    </span>
  );
}

/** Both results of a question, and whether it got better or worse. */
export function GoldenChange({ before, after }: Pick<ChangedGolden, 'before' | 'after'> & {}) {
  const t = useTexts(knowledgeTexts);
  const trend = trendOf(before, after);
  const tone = { better: 'success', worse: 'error', other: '', same: '' }[trend];
  return (
    <span className={styles.result}>
      <span className={`tag ${tone}`}>{t(`golden.${trend}`)}</span>
      <AnswerChange before={before} after={after} />
    </span>
  );
}

/** An earlier and a later result of a question. */
export function AnswerChange({ before, after }: { before: Asked; after: Asked }) {
  const t = useTexts(knowledgeTexts);
  return (
    <span className={styles.result}>
      <span className="sr">{t('golden.was')}</span>
      <ResultLine result={before} />
      <span aria-hidden="true">→</span>
      <span className="sr">{t('golden.is')}</span>
      <ResultLine result={after} />
    </span>
  );
}

interface ChangedQuestionsProps<T> {
  title: string;
  changes: readonly (T & { question: string })[];
  children(change: T): ReactNode;
}

/** Questions, each with what changes. */
export function ChangedQuestions<T>({ title, changes, children }: ChangedQuestionsProps<T>) {
  return (
    <section className="stack" aria-label={title}>
      <h3>{title}</h3>
      <ul className="ruled rule-above">
        {changes.map((change) => (
          <li className="stack gap-2px py-s2 breakable" key={change.question}>
            <b dir="auto">{change.question}</b>
            {children(change)}
          </li>
        ))}
      </ul>
    </section>
  );
}
