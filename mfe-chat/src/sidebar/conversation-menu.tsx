import { Icon } from 'host/ui/icon.tsx';
import type { KeyboardEvent } from 'react';
import { useChat } from '../shared/chat-context.ts';
import { Floating } from '../shared/floating.tsx';
import styles from './conversation-menu.module.css';

interface ConversationMenuProps {
  anchor: HTMLElement;
  title: string;
  onClose(): void;
  onRename(): void;
  onRemove(): void;
}

/** Menu of a conversation: rename, delete. */
export function ConversationMenu({ anchor, title, onClose, onRename, onRemove }: ConversationMenuProps) {
  const { t } = useChat();
  const choose = (action: () => void) => () => {
    onClose();
    action();
  };
  return (
    <Floating
      anchor={anchor}
      role="menu"
      label={title}
      className={`menu ${styles.place}`}
      align="end"
      side="below"
      onClose={onClose}
      onKeyDown={(event) => moveInMenu(event, onClose)}
    >
      <button type="button" role="menuitem" data-focus-first onClick={choose(onRename)}>
        <Icon name="pencil" />
        {t('rename')}
      </button>
      <button type="button" role="menuitem" className="danger" onClick={choose(onRemove)}>
        <Icon name="trash" />
        {t('remove')}
      </button>
    </Floating>
  );
}

function moveInMenu(event: KeyboardEvent<HTMLElement> | KeyboardEvent, onClose: () => void) {
  const items = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('[role=menuitem]')];
  const at = items.indexOf(document.activeElement as HTMLElement);
  const target = {
    ArrowDown: (at + 1) % items.length,
    ArrowUp: (at - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[event.key];
  if (event.key === 'Tab') onClose();
  if (target === undefined) return;
  event.preventDefault();
  items[target]?.focus();
}
