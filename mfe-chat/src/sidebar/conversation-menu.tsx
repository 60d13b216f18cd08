import type { Conversation } from 'api/contract/records';
import { ItemMenu } from 'host/ui/menu.tsx';
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
}

/** Menu of a conversation. Its row renders what remains open after the menu has closed. */
export function ConversationMenu(props: ConversationMenuProps) {
  const { anchor, conversation, row, onClose, onRename, onShare, onPrint } = props;
  const { t } = useChat();
  const { archive, pin, exportAs, remove } = useConversationTools(conversation, row);
  const { title, pinned = false, archived = false } = conversation;
  return (
    <ItemMenu
      anchor={anchor}
      label={title}
      placement="bottom-end"
      closesOnScroll
      items={[
        { label: t('rename'), icon: 'pencil', action: onRename },
        { label: t(pinned ? 'unpin' : 'pin'), icon: 'pin', action: () => void pin(!pinned) },
        {
          label: t(archived ? 'unarchive' : 'archive'),
          icon: 'archive',
          action: () => void archive(!archived),
        },
        { label: t('share'), icon: 'link', action: onShare },
        { label: t('exportMarkdown'), icon: 'download', action: () => void exportAs('markdown') },
        { label: t('exportPdf'), icon: 'download', action: () => void exportAs('pdf') },
        { label: t('print'), icon: 'print', action: onPrint },
        { label: t('remove'), icon: 'trash', isDanger: true, action: () => void remove() },
      ]}
      onClose={onClose}
    />
  );
}
