import { Button } from 'host/ui/button.tsx';
import { IconButton } from 'host/ui/icon-button.tsx';
import { Popover } from 'host/ui/popover.tsx';
import { type KeyboardEvent, useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import styles from './note-card.module.css';

/** Maximum length of a note in UTF-16 units, as in the API. */
const MAX_NOTE = 2_000;

interface NoteCardProps {
  anchor: HTMLElement;
  onSend(note: string): void;
  onClose(): void;
}

/** Dialog for an optional note about what was wrong with an answer. The rating itself is already sent. */
export function NoteCard({ anchor, onSend, onClose }: NoteCardProps) {
  const { t, services } = useChat();
  const [note, setNote] = useState('');
  const length = note.trim().length;
  const isTooLong = length > MAX_NOTE;
  const send = () => {
    if (isTooLong) return;
    onClose();
    if (length > 0) onSend(note.trim());
  };
  const sendByKey = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.nativeEvent.isComposing) send();
  };
  return (
    <Popover
      anchor={anchor}
      role="dialog"
      label={t('noteTitle')}
      className={`popover ${styles.card}`}
      placement="top-start"
      skidding={-16}
      isSticky
      onClose={onClose}
    >
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <header className="line spread gap-s3">
          <b>{t('noteTitle')}</b>
          <IconButton icon="close" label={t('close')} isSmall onClick={onClose} />
        </header>
        <textarea
          className="input"
          rows={3}
          dir="auto"
          data-focus-first
          aria-label={t('noteField')}
          placeholder={t('noteField')}
          aria-invalid={isTooLong}
          aria-describedby="note-length"
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          onKeyDown={sendByKey}
        />
        <p className="type-meta ink-2">{t('noteVisibility')}</p>
        <footer className="line spread gap-s3">
          <span id="note-length" className="type-small ink-error" role={isTooLong ? 'alert' : undefined}>
            {isTooLong && t('noteTooLong', { count: length.toLocaleString(services.i18n.locale()) })}
          </span>
          <Button look="small primary" label={t('sendNote')} type="submit" isOff={isTooLong} />
        </footer>
      </form>
    </Popover>
  );
}
