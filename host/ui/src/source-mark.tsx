import styles from './source-mark.module.css';

/** Icon for the source of an answer, a symbol `s-…` of the page's sprite, with a text label for accessibility. */
export function SourceMark({ source, label }: { source: string; label: string }) {
  return (
    <span className="source">
      <svg className="mark-source" viewBox="0 0 14 14" aria-hidden="true">
        <use href={`#s-${source}`} />
      </svg>
      {label}
    </span>
  );
}

/** Whether a question was answered: a full dot for an answer, otherwise a ring. */
export function OutcomeMark({ outcome, label }: { outcome: string; label: string }) {
  return (
    <span className={`source ${styles.outcome}`} data-outcome={outcome}>
      <i aria-hidden="true" />
      {label}
    </span>
  );
}
