import type { Handover, InboxEntry } from 'api/contract/handover';
import type { Translate } from 'host/contract';
import type { DateFormats } from 'host/ui/format-date.ts';
import { useTexts } from 'host/ui/screen.tsx';
import { type InboxTexts, inboxTexts } from '../lib/texts.ts';

interface StateTagProps {
  handover: Pick<Handover, 'state' | 'agent'>;
  isMine: boolean;
}

const KINDS = { waiting: 'warning', assigned: '', answered: 'success', closed: '' } as const;

/** The state of a request, and who has taken it. */
export function StateTag({ handover, isMine }: StateTagProps) {
  const t = useTexts(inboxTexts);
  const { state } = handover;
  const kind = isMine && state === 'assigned' ? 'accent' : KINDS[state];
  return <span className={`tag ${kind}`}>{stateLabel(handover, isMine, t)}</span>;
}

function stateLabel(
  { state, agent }: StateTagProps['handover'],
  isMine: boolean,
  t: Translate<InboxTexts>,
): string {
  if (state === 'waiting' || state === 'closed') return t(`state.${state}`);
  if (state === 'assigned') return isMine ? t('state.mine') : t('state.theirs', { name: agent ?? '' });
  if (agent === null) return t('state.answered');
  return isMine ? t('state.answered.mine') : t('state.answered.theirs', { name: agent });
}

const MINUTE_MS = 60_000;

/** How long the visitor has been waiting at `now` (in ms), or when the request was answered or closed. */
export function sinceText(
  { state, waitingSince, updatedAt }: Pick<InboxEntry, 'state' | 'waitingSince' | 'updatedAt'>,
  now: number,
  dates: DateFormats,
  t: Translate<InboxTexts>,
): string {
  if (state === 'closed') return t('closedAt', { time: dates.moment(new Date(updatedAt)) });
  if (state === 'answered') return t('repliedAt', { time: dates.moment(new Date(waitingSince)) });
  const minutes = Math.floor((now - Date.parse(waitingSince)) / MINUTE_MS);
  if (minutes < 1) return t('waiting.now');
  if (minutes < 60) return t('waiting.minutes', { count: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return t('waiting.hours', { count: hours });
  return t('waiting.days', { count: Math.floor(hours / 24) });
}
