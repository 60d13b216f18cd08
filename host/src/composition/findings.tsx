import type { CheckFinding } from 'api/contract/compositions';
import styles from './composition.module.css';
import { useScreen } from './screen-context.ts';

interface FindingsProps {
  findings: readonly CheckFinding[];
  /** They keep nothing from going live. */
  areWarnings?: boolean;
}

/** What a check found: where, which rule, what is wrong, what to do. */
export function Findings({ findings, areWarnings = false }: FindingsProps) {
  const { say } = useScreen();
  return (
    <ul className={styles.findings} aria-label={say(areWarnings ? 'warnings' : 'findings')}>
      {findings.map(({ rule, release, message, advice }) => (
        <li key={`${rule} ${release} ${message}`}>
          <p className={styles.findingHead}>
            <code>{release}</code>
            <span className={areWarnings ? 'tag warning' : 'tag error'}>{say(`rule.${rule}`)}</span>
          </p>
          <p>{message}</p>
          {advice && <p className="quiet">{advice}</p>}
        </li>
      ))}
    </ul>
  );
}
