import { Icon } from 'host/ui/icon.tsx';
import { useId } from 'react';
import { useChat } from '../state/chat-context.ts';
import { useConversations } from '../state/conversations.ts';
import { ConversationRow } from './conversation-row.tsx';
import { dayOf } from './group-by-day.ts';
import { ConversationList } from './paged-list.tsx';
import styles from './side-panel.module.css';

interface ArchivedConversationsProps {
  onChosen(): void;
  onBack(): void;
  backRef(button: HTMLButtonElement | null): void;
}

export function ArchivedConversations({ onChosen, onBack, backRef }: ArchivedConversationsProps) {
  const { t, chat } = useChat();
  const list = useConversations(chat.conversations, { isArchived: true });
  const titleId = useId();
  const now = new Date();
  return (
    <div className={styles.archived}>
      <div className={styles.archiveHead}>
        <button ref={backRef} className="button small bare" type="button" onClick={onBack}>
          <Icon name="arrow" isSmall className="up" />
          {t('allConversations')}
        </button>
        <h3 className="type-meta quiet" id={titleId}>
          {t('archived')}
        </h3>
      </div>
      <ConversationList
        list={list}
        label={t('archivedList')}
        none={{ title: t('noArchived'), text: t('noArchivedHint') }}
      >
        <ul aria-labelledby={titleId}>
          {list.conversations.map((conversation) => (
            <ConversationRow
              key={conversation.id}
              conversation={conversation}
              day={dayOf(conversation.updatedAt, now)}
              onChosen={onChosen}
            />
          ))}
        </ul>
      </ConversationList>
    </div>
  );
}
