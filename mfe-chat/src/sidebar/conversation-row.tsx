import type { Conversation } from 'api/contract/records';
import { asFailure } from 'host/ui/failure.ts';
import { IconButton } from 'host/ui/icon-button.tsx';
import { useSelected } from 'host/ui/use-stream.ts';
import { type FormEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useChat } from '../state/chat-context.ts';
import { lateDialog } from '../state/late-dialog.tsx';
import { readingTexts, shareTexts } from '../state/part-texts.ts';
import type { DayName } from './group-by-day.ts';
import { RowDetails } from './paged-list.tsx';
import styles from './side-panel.module.css';

export const ConversationMenu = lateDialog(
  async () => (await import(/* webpackChunkName: "menu" */ './conversation-menu.tsx')).ConversationMenu,
  { isCard: true },
);
export const ShareDialog = lateDialog(
  async () =>
    (await import(/* webpackChunkName: "share" */ '../conversation/sharing/share-dialog.tsx')).ShareDialog,
  { texts: shareTexts },
);
export const PrintedConversation = lateDialog(
  async () =>
    (await import(/* webpackChunkName: "print" */ '../conversation/reading/printed-conversation.tsx'))
      .PrintedConversation,
  { texts: readingTexts, isCard: true },
);

/** A row of the side panel: link to the conversation, and a menu of its actions. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  day,
  onChosen,
}: {
  conversation: Conversation;
  day: DayName;
  onChosen(): void;
}) {
  const { t, chat } = useChat();
  const [isRenaming, setIsRenaming] = useState(false);
  const [menuAnchor, setMenuAnchor] = useState<HTMLElement | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const isFocusDue = useRef(false);
  const { id, title, contact, updatedAt, unreadReply } = conversation;
  const isShown = useSelected(chat.consultation.state$, ({ conversationId }) => conversationId === id);

  const [opened, setOpened] = useState<'share' | 'print' | null>(null);
  const close = () => setOpened(null);

  const endRenaming = (isByKey: boolean) => {
    isFocusDue.current = isByKey;
    setIsRenaming(false);
  };
  useEffect(() => {
    if (isRenaming || !isFocusDue.current) return;
    isFocusDue.current = false;
    row.current?.querySelector('a')?.focus();
  }, [isRenaming]);

  if (isRenaming) return <Rename conversation={conversation} onEnd={endRenaming} />;
  return (
    <li ref={row} className={styles.conversation}>
      <Link to={{ search: `?c=${id}` }} aria-current={isShown ? 'true' : undefined} onClick={onChosen}>
        <b className="clip" dir="auto">
          {title}
        </b>
        <RowDetails contact={contact} time={updatedAt} hasDay={day === 'earlier'}>
          {unreadReply && <em className={styles.unread}>{t('newReply')}</em>}
        </RowDetails>
      </Link>
      <IconButton
        icon="more"
        label={t('more', { title })}
        isSmall
        aria-haspopup="menu"
        aria-expanded={menuAnchor !== null}
        onClick={({ currentTarget }) => setMenuAnchor(menuAnchor ? null : currentTarget)}
      />
      {menuAnchor && (
        <ConversationMenu
          anchor={menuAnchor}
          conversation={conversation}
          row={row}
          onClose={() => setMenuAnchor(null)}
          onRename={() => setIsRenaming(true)}
          onShare={() => setOpened('share')}
          onPrint={() => setOpened('print')}
        />
      )}
      {opened === 'share' && <ShareDialog conversation={conversation} onClose={close} />}
      {opened === 'print' && <PrintedConversation conversation={conversation} onClose={close} />}
    </li>
  );
});

interface RenameProps {
  conversation: Conversation;
  /** `isByKey` is false if renaming ended because the focus moved elsewhere; true if the caller has to move the focus. */
  onEnd(isByKey: boolean): void;
}

function Rename({ conversation, onEnd }: RenameProps) {
  const { services, t, chat } = useChat();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Selecting text does not focus the field in every browser.
    field.current?.focus();
    field.current?.select();
  }, []);

  const submit = (isByKey: boolean) => {
    const title = field.current?.value.trim();
    onEnd(isByKey);
    if (!title || title === conversation.title) return;
    chat.conversations
      .rename(conversation.id, title)
      .then(() => chat.announced$.next(t('renamed', { title })))
      .catch((reason) => services.toasts.show({ kind: 'error', text: asFailure(reason).message }));
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    onEnd(true);
  };
  return (
    <li className={styles.conversation}>
      <form
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          submit(true);
        }}
      >
        <input
          ref={field}
          className="input"
          dir="auto"
          aria-label={t('renameTitle')}
          defaultValue={conversation.title}
          maxLength={200}
          onKeyDown={keyDown}
          onBlur={() => submit(false)}
        />
      </form>
    </li>
  );
}
