import type { Conversation } from 'api/contract/records';

export type DayName = 'today' | 'yesterday' | 'earlier';

interface DayGroup {
  day: DayName;
  conversations: Conversation[];
}

/** Groups by days of the browser's time zone in the given order; leaves out empty groups. */
export function groupByDay(conversations: readonly Conversation[], now: Date): DayGroup[] {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const dayOf = ({ updatedAt }: Conversation): DayName => {
    const time = new Date(updatedAt);
    if (time >= today) return 'today';
    return time >= yesterday ? 'yesterday' : 'earlier';
  };
  return (['today', 'yesterday', 'earlier'] as const)
    .map((day) => ({ day, conversations: conversations.filter((one) => dayOf(one) === day) }))
    .filter((group) => group.conversations.length > 0);
}
