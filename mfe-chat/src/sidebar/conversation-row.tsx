import type { Conversation } from 'api/contract/records';
import { asFailure } from 'host/ui/failure.ts';
import { formatClock, formatDay } from 'host/ui/format-date.ts';
import { IconButton } from 'host/ui/icon-button.tsx';
import { createLatePart } from 'host/ui/late-part.tsx';
import { useSelected } from 'host/ui/use-stream.ts';
import { type FormEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { readingTexts } from '../conversation/reading/reading-texts.ts';
import { ContactName } from '../people/contact-label.tsx';
import { useChat } from '../state/chat-context.ts';
import { LateDialog } from '../state/late-dialog.tsx';
import { shareTexts } from '../state/part-texts.ts';
import type { DayName } from './group-by-day.ts';
import styles from './side-panel.module.css';

export const conversationMenu = createLatePart(
  () => import(/* webpackChunkName: "menu" */ './conversation-menu.tsx'),
);
export const shareDialog = createLatePart(
  () => import(/* webpackChunkName: "share" */ '../conversation/sharing/share-dialog.tsx'),
  shareTexts,
);
export const printedConversation = createLatePart(
  () => import(/* webpackChunkName: "print" */ '../conversation/reading/printed-conversation.tsx'),
  readingTexts,
);

interface ConversationRowProps {
  conversation: Conversation;
  day: DayName;
  onChosen(): void;
}

/** A row of the side panel: link to the conversation, and a menu of its actions. */
export const ConversationRow = memo(function ConversationRow({
  conversation,
  day,
  onChosen,
}: ConversationRowProps) {
  const { services, t, chat } = useChat();
  const [isRenaming, setIsRenaming] = useState(false);
  const [menuAnchor, setMenuAnchor] = useState<HTMLElement | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const isFocusDue = useRef(false);
  const { id, title, contact, updatedAt, unreadReply } = conversation;
  const isShown = useSelected(chat.consultation.state$, ({ conversationId }) => conversationId === id);
  const locale = services.i18n.locale();

  const [opened, setOpened] = useState<'share' | 'print' | null>(null);
  const closeMenu = () => setMenuAnchor(null);
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
        <small className="line">
          {contact && (
            <span className="clip">
              <ContactName contact={contact} />
            </span>
          )}
          {unreadReply && <em className={styles.unread}>{t('newReply')}</em>}
          <time className="nowrap" dateTime={updatedAt}>
            {day === 'earlier' ? formatDay(updatedAt, locale, new Date()) : formatClock(updatedAt, locale)}
          </time>
        </small>
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
        <LateDialog part={conversationMenu} isCard onClose={closeMenu}>
          {({ ConversationMenu }) => (
            <ConversationMenu
              anchor={menuAnchor}
              conversation={conversation}
              row={row}
              onClose={closeMenu}
              onRename={() => setIsRenaming(true)}
              onShare={() => setOpened('share')}
              onPrint={() => setOpened('print')}
            />
          )}
        </LateDialog>
      )}
      {opened === 'share' && (
        <LateDialog part={shareDialog} onClose={close}>
          {({ ShareDialog }) => <ShareDialog conversation={conversation} onClose={close} />}
        </LateDialog>
      )}
      {opened === 'print' && (
        <LateDialog part={printedConversation} isCard onClose={close}>
          {({ PrintedConversation }) => <PrintedConversation conversation={conversation} onEnd={close} />}
        </LateDialog>
      )}
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
