import type { MoveInfo, ReleaseChange } from 'api/contract/compositions';
import styles from './composition.module.css';
import type { CompositionTranslate } from './composition-texts.ts';
import { useScreen } from './screen-context.ts';

/** Versions before and after, one line per remote. */
export function ChangeList({ changes }: { changes: readonly ReleaseChange[] }) {
  const { t } = useScreen();
  return (
    <ul className={styles.changes}>
      {changes.map((change) => (
        <li key={change.name}>{changeText(change, t)}</li>
      ))}
    </ul>
  );
}

/** Text of a change, such as `mfe-chat 1.4.0 → 1.5.0`. */
export function changeText({ name, from, to }: ReleaseChange, t: CompositionTranslate): string {
  if (from === null) return t('change.added', { name, to: to ?? '' });
  if (to === null) return t('change.removed', { name, from });
  return `${name} ${from} → ${to}`;
}

/** Releases published automatically at start have no author. */
export function authorText(author: string, t: CompositionTranslate): string {
  return author === 'start' ? t('author.start') : author;
}

/** The tokens that made a change, and the author's name if it differs. */
export function byText(
  { author, token, approvedBy }: Pick<MoveInfo, 'author' | 'token' | 'approvedBy'>,
  t: CompositionTranslate,
): string {
  if (!token) return authorText(author, t);
  const tokens = [token, approvedBy].filter(Boolean).join(' + ');
  return tokens === author ? author : t('author.token', { author, tokens });
}
