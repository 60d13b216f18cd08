import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useEffect } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { filesPart } from './ask/files/files-part-module.tsx';
import styles from './chat-layout.module.css';
import { markdown } from './conversation/markdown-text.tsx';
import { noteCard } from './conversation/thumbs.tsx';
import { questionEditor } from './conversation/user-message.tsx';
import { ContactPicker } from './people/contact-chip.tsx';
import { ConversationMenu } from './sidebar/conversation-row.tsx';
import { searchResults } from './sidebar/side-body.tsx';
import { citedSource } from './sources/source-view.tsx';
import { useChat } from './state/chat-context.ts';
import type { ChatState } from './state/chat-state.ts';
import type { Consultation } from './state/consultation.ts';

/** Effects of the mounted chat screen: connects its state and renders the parts that report the connection and accept files. */
export function ChatEffects(): ReactNode {
  const { services, chat } = useChat();
  const { report, i18n } = services;
  useEffect(() => chat.connect(), [chat]);
  useAddress(chat);
  useCompletePrint(chat.consultation);
  useEffect(() => {
    // Loads the parts needed by answers in advance.
    for (const part of [
      markdown,
      filesPart,
      citedSource,
      ConversationMenu.part,
      ContactPicker.part,
      searchResults,
      noteCard,
      questionEditor,
    ])
      part.load(i18n).catch(report);
  }, [report, i18n]);
  const { part: files } = useLatePart(filesPart);
  return (
    <>
      {files && <files.FileDrop />}
      <ConnectionNotice />
    </>
  );
}

/** Shows conversation (`?c=`) and record (`&r=`) of the address, and writes a new conversation's id. */
function useAddress(chat: ChatState): void {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const { key } = useLocation();
  const id = params.get('c') || null;
  const recordId = params.get('r') || null;

  // biome-ignore lint/correctness/useExhaustiveDependencies: following the same link again scrolls to the record again
  useEffect(() => chat.consultation.open(id, recordId), [chat, id, recordId, key]);
  useEffect(() => {
    const subscription = chat.address$.subscribe((conversationId) =>
      navigate({ search: conversationId ? `?c=${conversationId}` : '' }, { replace: true }),
    );
    return () => subscription.unsubscribe();
  }, [chat, navigate]);
}

/**
 * Ctrl + P loads the whole conversation before printing, because browsers print only what is in the page. Printing from the browser's menu
 * cannot be delayed: the printout then says that earlier messages are missing.
 */
function useCompletePrint({ state$, loadAll }: Pick<Consultation, 'state$' | 'loadAll'>): void {
  useEffect(() => {
    const keyDown = async (event: KeyboardEvent) => {
      const isPrint = (event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'p';
      if (!isPrint || event.shiftKey || !state$.value.hasOlder) return;
      event.preventDefault();
      await loadAll();
      requestAnimationFrame(() => setTimeout(() => window.print()));
    };
    window.addEventListener('keydown', keyDown);
    return () => window.removeEventListener('keydown', keyDown);
  }, [state$, loadAll]);
}

/** Shows that the connection of an answer is lost and when it is retried. The host shows when the browser is offline. */
function ConnectionNotice() {
  const { t, chat } = useChat();
  const { retryAt, runningKey } = useStream(chat.consultation.state$);
  const isLost = useDelayed(retryAt !== null, 800);
  const seconds = useSecondsUntil(retryAt);
  if (!isLost) return null;
  const isAsked = Boolean(runningKey && chat.store.message(runningKey)?.recordId);
  return (
    <div className={`banner ${styles.notice}`} role="status">
      <Icon name="offline" />
      <p>{t(isAsked ? 'lost' : 'lostUnsent')}</p>
      {seconds > 0 && (
        <span className="num quiet" aria-hidden="true">
          {t('retryIn', { seconds })}
        </span>
      )}
      <Button label={t('retryNow')} onClick={() => chat.consultation.reconnect()} />
    </div>
  );
}
