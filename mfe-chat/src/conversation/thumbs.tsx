import { IconButton } from 'host/ui/icon-button.tsx';
import { createLatePart, Late } from 'host/ui/late-part.tsx';
import { useRef, useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import type { ChatMessage } from '../state/chat-message.ts';

export const noteCard = createLatePart(() => import(/* webpackChunkName: "note" */ './note-card.tsx'));

const THUMBS = [
  { rating: 1, textKey: 'helpful' },
  { rating: -1, textKey: 'notHelpful' },
] as const;

/** Buttons to rate an answer. Pressing the same one again removes the rating; after "not helpful" a note can be added. */
export function Thumbs({ message }: { message: ChatMessage }) {
  const { services, t, chat } = useChat();
  const [isNoteOpen, setIsNoteOpen] = useState(false);
  const down = useRef<HTMLButtonElement>(null);
  const current = message.feedback?.rating ?? 0;
  const press = (rating: 1 | -1) => {
    const isWithdrawn = current === rating;
    setIsNoteOpen(rating === -1 && !isWithdrawn);
    void chat.ratings.rate(message.key, isWithdrawn ? null : { rating, note: '' });
    chat.announced$.next(t(isWithdrawn ? 'unrated' : rating === 1 ? 'ratedHelpful' : 'ratedNotHelpful'));
  };
  const send = async (note: string) => {
    const isSaved = await chat.ratings.rate(message.key, { rating: -1, note });
    if (isSaved) services.toasts.show({ kind: 'success', text: t('noteSent') });
  };
  return (
    <>
      {THUMBS.map(({ rating, textKey }) => (
        <IconButton
          key={textKey}
          ref={rating === -1 ? down : undefined}
          icon="thumb"
          iconClassName={rating === -1 ? 'up' : undefined}
          label={t(textKey)}
          hasTitle
          aria-pressed={current === rating}
          onClick={() => press(rating)}
        />
      ))}
      {isNoteOpen && current === -1 && (
        <Late part={noteCard}>
          {({ NoteCard }) =>
            down.current && (
              <NoteCard
                anchor={down.current}
                onSend={(note) => void send(note)}
                onClose={() => setIsNoteOpen(false)}
              />
            )
          }
        </Late>
      )}
    </>
  );
}
