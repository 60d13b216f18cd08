import type { CheckFinding, CheckReport, CheckRule } from '../../../contract/compositions.ts';
import type { Say } from '../../say.ts';
import { indent } from './table.ts';

/** Each finding with release and rule, the problem, and advice. */
export function formatFindings(findings: readonly CheckFinding[], say: Say): string {
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

/** One block per warning; warnings do not prevent a composition from going live. */
export function formatWarnings(warnings: readonly CheckFinding[] = [], say: Say): string[] {
  return warnings.map(({ message, advice }) => `${say('warning', { message })}\n${indent(`→ ${advice}`, 4)}`);
}

/** `✓ integrity 42`: how many were checked, to tell "nothing found" from "not checked". */
export function formatChecked({ looked, tookMs }: CheckReport, say: Say): string {
  const parts = Object.entries(looked) as [CheckRule, number][];
  const counts = parts.map(([rule, count]) => `${say(`rule_${rule}`)} ${count}`).join(', ');
  return say('lookedAt', { counts: counts || '—', ms: tookMs });
}
