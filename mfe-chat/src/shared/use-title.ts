import { useEffect, useSyncExternalStore } from 'react';
import { useChat } from './chat-context.ts';
import { useValue } from './use-value.ts';

/** The conversation's title; of one that has just begun, its first words. */
export function useTitle(): string {
  const { t, desk } = useChat();
  const { conversationId, hasOlder, phase } = useValue(desk.consultation.state$);
  const list = useValue(desk.conversations.state$);
  const keys = useSyncExternalStore(desk.store.subscribe, desk.store.keys);
  const title = list.conversations.find(({ id }) => id === conversationId)?.title;
  const isUnlisted =
    conversationId !== null && title === undefined && list.phase === 'ready' && phase === 'ready';

  useEffect(() => {
    if (isUnlisted && conversationId) void desk.conversations.seek(conversationId);
  }, [isUnlisted, conversationId, desk]);

  if (title) return title;
  const firstWords = hasOlder ? '' : (desk.store.message(keys[0] ?? '')?.text ?? '');
  return firstWords.split('\n', 1)[0] || t(conversationId === null ? 'newQuestion' : 'consultation');
}
