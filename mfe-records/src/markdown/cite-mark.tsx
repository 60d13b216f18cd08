import type { KeyboardEvent } from 'react';
import styles from './cite-mark.module.css';

interface CiteMarkProps {
  n: number;
  label: string;
  onCite(n: number): void;
}

/**
 * The number of a source, as a button that is running text: browsers break lines on both sides of a `button`, whatever stands there, so
 * that a mark, or the comma behind it, would begin a line.
 */
export function CiteMark({ n, label, onCite }: CiteMarkProps) {
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    if (!event.repeat) onCite(n);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a button element would be a box of its own in the line
    <span
      className={styles.cite}
      role="button"
      tabIndex={0}
      aria-label={label}
      onClick={() => onCite(n)}
      onKeyDown={handleKey}
    >
      {n}
    </span>
  );
}
