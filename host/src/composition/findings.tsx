import type { CheckFinding } from 'api/contract';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

/** What keeps a composition from going live: where, which rule, what is wrong, what to do. */
export function Findings({ findings }: { findings: readonly CheckFinding[] }) {
  const { say } = useScreen();
  return (
    <ul className={styles.findings} aria-label={say('findings')}>
      {findings.map(({ rule, release, message, advice }) => (
        <li key={`${rule} ${release} ${message}`}>
          <p className={styles.findingHead}>
            <code>{release}</code>
            <span className="tag error">{say(`rule.${rule}`)}</span>
          </p>
          <p>{message}</p>
          {advice && <p className="quiet">{advice}</p>}
        </li>
      ))}
    </ul>
  );
}
