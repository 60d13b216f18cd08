import { useQuery } from '@tanstack/react-query';
import { useChat } from '../shared/chat-context.ts';
import { useHandoverTexts } from './handover-texts.ts';

/** Longer times are shown in hours. */
const MAX_MINUTES = 90;

/** How long a reply usually takes; nothing while that is loading. */
export function ExpectedReply() {
  const { chat } = useChat();
  const t = useHandoverTexts();
  const { data, isPending } = useQuery(chat.handovers.responseTime, chat.queries);
  if (isPending) return null;
  const minutes = data?.medianMinutes;
  // Also if it could not be loaded.
  if (minutes === null || minutes === undefined) return t('soon');
  if (minutes > MAX_MINUTES) return t('hours', { count: Math.ceil(minutes / 60) });
  return t('minutes', { count: Math.max(1, Math.ceil(minutes)) });
}
