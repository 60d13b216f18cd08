import type { Conversation } from 'api/contract/records';

export type DayName = 'today' | 'yesterday' | 'earlier';

interface DayGroup {
  day: DayName;
  conversations: Conversation[];
}

/** Groups by days of the browser's time zone in the given order; leaves out empty groups. */
export function groupByDay(conversations: readonly Conversation[], now: Date): DayGroup[] {
  return (['today', 'yesterday', 'earlier'] as const)
    .map((day) => ({ day, conversations: conversations.filter((one) => dayOf(one.updatedAt, now) === day) }))
    .filter((group) => group.conversations.length > 0);
}

/** The day of a time, in the browser's time zone. */
export function dayOf(iso: string, now: Date): DayName {
  const today = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1);
  const time = new Date(iso);
  if (time >= today) return 'today';
  return time >= yesterday ? 'yesterday' : 'earlier';
}
