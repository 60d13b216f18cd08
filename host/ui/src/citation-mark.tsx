import type { KeyboardEvent } from 'react';
import styles from './citation-mark.module.css';

interface CitationButtonProps {
  n: number;
  label: string;
  /** Whether the source is open; undefined if the button opens none. */
  isOpen?: boolean;
  onCite(n: number, anchor: HTMLElement): void;
}

/**
 * The number of a citation, as a button that is part of the running text. Browsers allow line breaks on both sides of a `button` element,
 * so that a number, or the comma after it, could start a line.
 */
export function CitationButton({ n, label, isOpen, onCite }: CitationButtonProps) {
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (!event.repeat) onCite(n, event.currentTarget);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element would be a separate box in the line
    <span
      className={`${styles.mark} ${styles.button}`}
      role="button"
      tabIndex={0}
      aria-label={label}
      {...(isOpen !== undefined && { 'aria-haspopup': 'dialog', 'aria-expanded': isOpen })}
      onClick={(event) => onCite(n, event.currentTarget)}
      onKeyDown={handleKey}
    >
      {n}
    </span>
  );
}

/** Mark after a statement that no source supports. */
export function DoubtMark({ label }: { label: string }) {
  return <span className={styles.doubt}>{label}</span>;
}

/** The number of a citation without an action, because its source is not known yet or is named beside it. */
export function CitationMark({ n, className = '' }: { n: number; className?: string | undefined }) {
  return <span className={`${styles.mark} ${className}`}>{n}</span>;
}
