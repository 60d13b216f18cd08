import type { CheckFinding } from 'api/contract/compositions';
import { Problem } from 'host/ui/problem.tsx';
import { useScreen } from './screen-context.ts';

interface FindingsProps {
  findings: readonly CheckFinding[];
  /** Warnings do not prevent going live. */
  areWarnings?: boolean;
}

/** The findings of a check: place, rule, problem and advice. */
export function Findings({ findings, areWarnings = false }: FindingsProps) {
  const { t } = useScreen();
  return (
    <ul className="stack gap-s3 mt-s2" aria-label={t(areWarnings ? 'warnings' : 'findings')}>
      {findings.map(({ rule, release, message, advice }) => (
        <li className="stack gap-2px type-small breakable" key={`${rule} ${release} ${message}`}>
          <p className="line wrap">
            <code className="type-code strong">{release}</code>
            <span className={areWarnings ? 'tag warning' : 'tag error'}>{t(`rule.${rule}`)}</span>
          </p>
          <p>{message}</p>
          {advice && <p className="quiet">{advice}</p>}
        </li>
      ))}
    </ul>
  );
}

interface PartProblemProps {
  title: string;
  /** What could not be loaded. Renders nothing if it could. */
  query: { error: { message: string } | null; refetch(): unknown };
}

/** Shown instead of a part of the screen that could not be loaded. */
export function PartProblem({ title, query: { error, refetch } }: PartProblemProps) {
  if (!error) return null;
  return <Problem level={3} title={title} message={error.message} onRetry={() => void refetch()} />;
}
