import { useCallback, useSyncExternalStore } from 'react';
import type { Attached } from '../files/attachments.ts';
import { useFrame } from '../shared/frame-context.ts';

/** The files attached to the next question of this conversation, and the id of their slot. */
export function useAttached(conversationId: string | null): Attached & { slot: string } {
  const { attachments, services } = useFrame();
  const subscribe = useCallback(
    (listener: () => void) => {
      const subscriptions = [
        attachments.changed$.subscribe(listener),
        services.session.username$.subscribe(listener),
      ];
      return () => {
        for (const subscription of subscriptions) subscription.unsubscribe();
      };
    },
    [attachments, services],
  );
  const slot = useSyncExternalStore(subscribe, () => attachments.slotOf(conversationId));
  return { ...useSyncExternalStore(subscribe, () => attachments.read(slot)), slot };
}
