import { CommandFailure, type Refused } from '../failure.ts';
import type { SayRelease } from './release-messages.ts';

/** The server's message, and what to do about it. */
export function explainRefusal(
  { status, body }: Refused,
  { from, name, different }: { from: string; name: string; different: readonly string[] },
  say: SayRelease,
): CommandFailure {
  const findings = (body.findings ?? []).map(({ message, advice }) => `  ${message}\n    ${advice}`);
  const lines = [body.msg, ...findings];
  if (status === 401) lines.push(say('tokenFrom', { from }));
  if (status === 403) lines.push(say('tokenForOther', { from, name }));
  if (different.length > 0) lines.push(say('differsIn', { different: different.join(', ') }));
  if (body.error === 'version_taken') lines.push(say('newVersion'));
  const isOutside = status === 401 || status === 403 || status >= 500 || status === 429;
  return new CommandFailure(isOutside ? 3 : 1, lines.join('\n'), body);
}
