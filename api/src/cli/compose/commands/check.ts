import type {
  CheckFinding,
  CheckReport,
  CheckRule,
  CompositionChoice,
} from '../../../contract/compositions.ts';
import { type CommandContext, formatChoice, type Outcome } from '../context/command-context.ts';
import { type Say, shortId } from '../context/format.ts';
import { smoke } from './smoke/smoke.ts';
import { indent } from './table.ts';

/** `compose check mfe-chat@1.5.0`: whether it could go live. Stores a composition with --smoke only. */
export async function check(
  context: CommandContext,
  choice: CompositionChoice,
  options: { smoke?: boolean },
): Promise<Outcome> {
  const report = await checkChoice(context, choice, {
    ...options,
    reason: `compose check ${formatChoice(choice)}`,
  });
  context.answer(report, () => formatReport(report, context));
  return report.isFine ? 0 : 1;
}

/**
 * Runs the server's check and, if that finds nothing and `smoke` is set, opens the screens in a local
 * browser. Author and reason are part of a composition's id, so they are taken from the intended change.
 */
export async function checkChoice(
  context: CommandContext,
  choice: CompositionChoice,
  options: { smoke?: boolean; reason: string },
): Promise<CheckReport> {
  const { client, author } = context;
  const { smoke: isSmoke, reason } = options;
  const report = await client.post<CheckReport>('/ops/check', { ...choice, author, reason });
  // The findings of the server are enough; a browser is not needed.
  return isSmoke && report.isFine ? smoke(context, choice, reason, report) : report;
}

export function formatReport(report: CheckReport, { say }: CommandContext): string {
  const id = shortId(report.composition);
  const warned = formatWarnings(report.warnings, say);
  if (report.isFine) return [say('checkFine', { id }), ...warned, formatChecked(report, say)].join('\n');
  return [
    say('checkNotFine', { id, count: report.findings.length }),
    formatFindings(report.findings, say),
    ...warned,
    formatChecked(report, say),
  ].join('\n\n');
}

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
