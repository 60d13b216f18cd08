import { Icon } from 'host/ui/icon.tsx';
import { useSelected } from 'host/ui/use-stream.ts';
import { useState, useSyncExternalStore } from 'react';
import { useChat } from '../state/chat-context.ts';
import { lateDialog } from '../state/late-dialog.tsx';
import { handoverTexts } from '../state/part-texts.ts';
import type { FormSubject } from './person-form.ts';
import { useOpenHandoverId } from './use-handovers.ts';

export const AskPersonDialog = lateDialog(
  async () => (await import(/* webpackChunkName: "handover" */ './ask-person-dialog.tsx')).AskPersonDialog,
  { texts: handoverTexts },
);

interface AskPersonButtonProps {
  /** What the request is about; by default the whole conversation. */
  subject?: FormSubject;
  className: string;
}

/** Opens the form to ask for a person. If that was done already, shows the thread and moves the focus to the text field, which then writes to the person. */
export function AskPersonButton({ subject, className }: AskPersonButtonProps) {
  const { t, chat } = useChat();
  const [isOpen, setIsOpen] = useState(false);
  const openId = useOpenHandoverId();
  const isBlocked = useIsIdPending();
  const press = () => {
    if (openId) {
      chat.handovers.focus$.next(openId);
      chat.consultation.scrollToEnd$.next();
    } else if (!isBlocked) setIsOpen(true);
  };
  const label = t(openId ? 'toPerson' : 'askPerson');
  return (
    <>
      <button
        className={className}
        type="button"
        // Very small windows show the icon only.
        aria-label={label}
        aria-haspopup={openId ? undefined : 'dialog'}
        aria-disabled={isBlocked || undefined}
        onClick={press}
      >
        <Icon name="user" isSmall />
        <span>{label}</span>
      </button>
      {isOpen && <AskPersonDialog subject={subject} onClose={() => setIsOpen(false)} />}
    </>
  );
}

/** True while the conversation is being loaded, and while its first question is being sent, because it has no id yet. */
function useIsIdPending(): boolean {
  const { store, consultation } = useChat().chat;
  const isReady = useSelected(consultation.state$, ({ phase }) => phase === 'ready');
  const hasId = useSelected(consultation.state$, ({ conversationId }) => conversationId !== null);
  const keys = useSyncExternalStore(store.subscribe, store.keys);
  return !isReady || (!hasId && keys.length > 0);
}
