import { useQuery } from '@tanstack/react-query';
import type { Handover } from 'api/contract/handover';
import { useSelected } from 'host/ui/use-stream.ts';
import { useChat } from '../state/chat-context.ts';

/** The handovers of the shown conversation. Not loaded before its messages are, nor for a new conversation. */
export function useHandovers() {
  return useQuery(useOptions(), useChat().chat.queries);
}

/** The handover of the shown conversation that is not closed. */
export function useOpenHandoverId(): string | undefined {
  return useQuery({ ...useOptions(), select: openIdOf }, useChat().chat.queries).data;
}

function useOptions() {
  const { handovers, consultation } = useChat().chat;
  const id = useSelected(consultation.state$, ({ conversationId, phase }) =>
    phase === 'ready' ? conversationId : null,
  );
  return { ...handovers.ofConversation(id ?? ''), enabled: id !== null };
}

function openIdOf(handovers: Handover[]): string | undefined {
  return handovers.find(({ state }) => state !== 'closed')?.id;
}
