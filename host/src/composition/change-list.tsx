import type { ReleaseChange } from 'api/contract/compositions';
import styles from './composition.module.css';
import type { Say } from './composition-words.ts';
import { useScreen } from './screen-context.ts';

/** Versions before and after, one line per remote. */
export function ChangeList({ changes }: { changes: readonly ReleaseChange[] }) {
  const { say } = useScreen();
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={change.name}>{changeText(change, say)}</li>
      ))}
    </ul>
  );
}

/** mfe-chat 1.4.0 → 1.5.0. */
export function changeText({ name, from, to }: ReleaseChange, say: Say): string {
  if (from === null) return say('change.added', { name, to: to ?? '' });
  if (to === null) return say('change.removed', { name, from });
  return `${name} ${from} → ${to}`;
}

/** Releases published automatically at start have no author. */
export function authorText(author: string, say: Say): string {
  return author === 'start' ? say('author.start') : author;
}
