import { Icon } from 'host/ui/icon.tsx';
import { Menu } from 'host/ui/menu.tsx';
import { useChat } from '../shared/chat-context.ts';

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
    <Menu anchor={anchor} label={title} placement="bottom-end" closesOnScroll onClose={onClose}>
      <button type="button" role="menuitem" data-focus-first onClick={choose(onRename)}>
        <Icon name="pencil" />
        {t('rename')}
      </button>
      <button type="button" role="menuitem" className="danger" onClick={choose(onRemove)}>
        <Icon name="trash" />
        {t('remove')}
      </button>
    </Menu>
  );
}
