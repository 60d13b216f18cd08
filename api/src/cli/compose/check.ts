import type { CheckReport, CompositionChoice } from '../../contract.ts';
import type { Outcome, Shell } from './shell.ts';
import { smoke } from './smoke/smoke.ts';
import { tellFindings, tellLooked } from './tell-findings.ts';
import { shortId } from './told.ts';

/** `compose check mfe-chat@1.5.0`: whether it could go live. Keeps nothing, but with --smoke the composition that is looked at. */
export async function check(
  shell: Shell,
  choice: CompositionChoice,
  options: { smoke?: boolean },
): Promise<Outcome> {
  const report = await checked(shell, choice, options);
  shell.answer(report, () => tellReport(report, shell));
  return report.isFine ? 0 : 1;
}

/** The desk's own check, and, where it found nothing and `smoke` is wanted, the screens mounted in a browser here. */
export async function checked(
  shell: Shell,
  choice: CompositionChoice,
  options: { smoke?: boolean },
): Promise<CheckReport> {
  const report = await shell.client.post<CheckReport>('/ops/check', choice);
  if (!options.smoke) return report;
  // What the desk refuses would not get a page; what it found is enough to act on.
  return report.isFine ? smoke(shell, choice, report) : report;
}

export function tellReport(report: CheckReport, { say }: Shell): string {
  const id = shortId(report.composition);
  if (report.isFine) return `${say('checkFine', { id })}\n${tellLooked(report, say)}`;
  return [
    say('checkNotFine', { id, count: report.findings.length }),
    tellFindings(report.findings, say),
    tellLooked(report, say),
  ].join('\n\n');
}
