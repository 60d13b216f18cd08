import type { Conversation } from 'api/contract/records';
import { Icon } from 'host/ui/icon.tsx';
import { Menu } from 'host/ui/menu.tsx';
import type { RefObject } from 'react';
import { useChat } from '../state/chat-context.ts';
import { useConversationTools } from './conversation-tools.ts';

interface ConversationMenuProps {
  anchor: HTMLElement;
  conversation: Conversation;
  row: RefObject<HTMLElement | null>;
  onClose(): void;
  onRename(): void;
  onShare(): void;
  onPrint(): void;
  onRemove(): void;
}

/** Menu of a conversation. Whatever stays open afterwards is rendered by its row. */
export function ConversationMenu(props: ConversationMenuProps) {
  const { anchor, conversation, row, onClose, onRename, onShare, onPrint, onRemove } = props;
  const { t } = useChat();
  const tools = useConversationTools(conversation, row);
  const { title, pinned = false, archived = false } = conversation;
  const items: { label: string; icon: string; isDanger?: boolean; run(): unknown }[] = [
    { label: t('rename'), icon: 'pencil', run: onRename },
    { label: t(pinned ? 'unpin' : 'pin'), icon: 'pin', run: () => tools.pin(!pinned) },
    {
      label: t(archived ? 'unarchive' : 'archive'),
      icon: 'archive',
      run: () => tools.archive(!archived),
    },
    { label: t('share'), icon: 'link', run: onShare },
    { label: t('exportMarkdown'), icon: 'download', run: () => tools.exportAs('markdown') },
    { label: t('exportPdf'), icon: 'download', run: () => tools.exportAs('pdf') },
    { label: t('print'), icon: 'print', run: onPrint },
    { label: t('remove'), icon: 'trash', isDanger: true, run: onRemove },
  ];
  return (
    <Menu anchor={anchor} label={title} placement="bottom-end" closesOnScroll onClose={onClose}>
      {items.map(({ label, icon, isDanger, run }, index) => (
        <button
          key={label}
          type="button"
          role="menuitem"
          className={isDanger ? 'danger' : undefined}
          data-focus-first={index === 0 || undefined}
          onClick={() => {
            // Before the action, so that a dialog it opens returns the focus to the button.
            anchor.focus();
            onClose();
            run();
          }}
        >
          <Icon name={icon} />
          {label}
        </button>
      ))}
    </Menu>
  );
}
