import type { KeyboardEvent } from 'react';
import styles from './cite-mark.module.css';

interface CiteMarkProps {
  n: number;
  label: string;
  onCite(n: number): void;
}

/**
 * The number of a citation, as a button that is part of the running text. Browsers allow line breaks on both sides of a `button` element,
 * so that a number, or the comma after it, could start a line.
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
