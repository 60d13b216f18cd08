import { noticeInBackground } from 'host/ui/background-notice.ts';
import type { ChatState } from '../chat-state.ts';
import type { useChat } from '../shared/chat-context.ts';

/** Announces replies of people while the page is open, and other changes of the handovers. Returns a function that ends this. */
export function announceReplies(
  { handovers, consultation }: ChatState,
  t: ReturnType<typeof useChat>['t'],
  announce: (sentence: string) => void,
): () => void {
  const subscriptions = [
    handovers.announced$.subscribe(announce),
    handovers.replied$.subscribe(({ id, conversationId, messages }) => {
      const reply = messages.findLast(({ from }) => from === 'agent');
      if (reply)
        noticeInBackground({
          title: t('repliedBy', { name: reply.name }),
          body: reply.text.slice(0, 200),
          tag: id,
        });
      if (conversationId !== consultation.state$.value.conversationId) announce(t('repliedElsewhere'));
      else if (reply) announce(t('replied', { name: reply.name, text: reply.text }));
    }),
  ];
  return () => {
    for (const subscription of subscriptions) subscription.unsubscribe();
  };
}
