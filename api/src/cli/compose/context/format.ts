import type { PointerInfo, ReleaseChange } from '../../../contract/compositions.ts';
import type { Say as SayIn } from '../../../i18n/texts-of.ts';

export type Say = SayIn<'cli-compose'>;

/** The displayed id of a composition; the server accepts any unambiguous prefix of 6 digits or more. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

const STEPS = [
  [60, 1, 'secondsAgo'],
  [3600, 60, 'minutesAgo'],
  [86_400, 3600, 'hoursAgo'],
  [60 * 86_400, 86_400, 'daysAgo'],
] as const;

/** `3 min ago`; a date if it is long ago. Times in the future, caused by clock differences, count as now. */
export function ago(at: string, now: Date, say: Say): string {
  const seconds = Math.max(0, Math.floor((now.getTime() - new Date(at).getTime()) / 1000));
  const step = STEPS.find(([below]) => seconds < below);
  return step ? say(step[2], { count: Math.floor(seconds / step[1]) }) : at.slice(0, 10);
}

/** `14:03` today, otherwise `2026-11-21 14:03`, in this machine's time zone. */
export function clock(at: string, now: Date): string {
  const pad = (value: number) => String(value).padStart(2, '0');
  const date = new Date(at);
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}`;
  if (date.toDateString() === now.toDateString()) return time;
  return `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${time}`;
}

const UNITS = [
  [86_400, 'd'],
  [3600, 'h'],
  [60, 'm'],
] as const;

/** `10m`, `36h`: in the largest unit of which it is a multiple. */
export function duration(seconds: number): string {
  const [size, unit] = UNITS.find(([size]) => seconds % size === 0) ?? [1, 's'];
  return `${seconds / size}${unit}`;
}

/** Names an environment other than production. */
export function formatEnvironment({ environment = 'production' }: PointerInfo, say: Say): string[] {
  return environment === 'production' ? [] : [say('inEnvironment', { name: environment })];
}

/** `mfe-chat 1.3.0 → 1.4.0`. */
export function formatChange({ name, from, to }: ReleaseChange, say: Say): string {
  if (from === null) return say('partAdded', { name, version: to ?? '' });
  if (to === null) return say('partRemoved', { name, version: from });
  return `${name} ${from} → ${to}`;
}

export function formatChanges(changes: readonly ReleaseChange[], say: Say): string {
  return changes.length === 0
    ? say('sameReleases')
    : changes.map((change) => formatChange(change, say)).join(', ');
}

/** The command for the next page, with the same arguments; '' after the last page. */
export function formatNextPage(
  command: readonly string[],
  { limit }: { limit?: number },
  cursor: string | null,
  say: Say,
): string {
  if (cursor === null) return '';
  const whole = [...command, ...(limit === undefined ? [] : ['--limit', limit])].join(' ');
  return `\n${say('more', { command: whole, cursor })}`;
}

/** The abbreviated commit, marked if there were uncommitted changes. */
export function shortCommit(commit: string | null): string {
  if (commit === null) return '—';
  return commit.endsWith('-dirty') ? `${commit.slice(0, 8)}-dirty` : commit.slice(0, 8);
}

/**
 * Control characters that move a terminal's cursor, change colours, or change the writing direction: any
 * visitor's page can report an error that contains them.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these characters are searched for
const CONTROLS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Returns `text` reduced to lines of visible characters. */
export function plainText(text: string): string {
  return text.replace(CONTROLS, '\ufffd');
}

/** Like `plainText`, but in a single line, for a table cell. */
export function oneLine(text: string): string {
  return text.replace(/\s*[\r\n]\s*/g, ' ');
}
