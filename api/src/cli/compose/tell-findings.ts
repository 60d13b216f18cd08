import type { CheckFinding, CheckReport, CheckRule } from '../../contract/contract.ts';
import { indent } from './table.ts';
import type { Say } from './words.ts';

/** Each with its release and rule, what is wrong, and what to do. */
export function tellFindings(findings: readonly CheckFinding[], say: Say): string {
  return findings
    .map(({ remote, release, rule, message, advice }) =>
      [
        `✗ ${release || remote}  [${rule}: ${say(`rule_${rule}`)}]`,
        indent(message, 4),
        ...(advice ? [indent(`→ ${advice}`, 4)] : []),
      ].join('\n'),
    )
    .join('\n');
}

/** A block for each warning: nothing keeps the composition from going live. */
export function tellWarnings(warnings: readonly CheckFinding[] = [], say: Say): string[] {
  return warnings.map(({ message, advice }) => `${say('warning', { message })}\n${indent(`→ ${advice}`, 4)}`);
}

/** `✓ integrity 42` and the like: what was looked at, so that nobody takes "nothing found" for "not looked". */
export function tellLooked({ looked, tookMs }: CheckReport, say: Say): string {
  const parts = Object.entries(looked) as [CheckRule, number][];
  const counts = parts.map(([rule, count]) => `${say(`rule_${rule}`)} ${count}`).join(', ');
  return say('lookedAt', { counts: counts || '—', ms: tookMs });
}
