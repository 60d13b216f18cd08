import type { Handover } from 'api/contract/handover';
import { noticeInBackground } from 'host/ui/background-notice.ts';
import { Button } from 'host/ui/button.tsx';
import { Icon } from 'host/ui/icon.tsx';
import { useLatePart } from 'host/ui/late-part.tsx';
import { useDelayed } from 'host/ui/use-delayed.ts';
import { useSecondsUntil } from 'host/ui/use-seconds-until.ts';
import { useStream } from 'host/ui/use-stream.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useLocation, useNavigate, useSearchParams } from 'react-router-dom';
import { merge, Subscription } from 'rxjs';
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
import type { FileProgress } from './state/chat-message.ts';
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

/** Time after which screen readers have announced new text, in milliseconds. */
const CLEAR_AFTER_MS = 1_000;
/** Minimum interval between announcements of the reading progress, in milliseconds. */
const MIN_INTERVAL_MS = 10_000;

/** Announces finished answers, replies of people, the progress of files and silent actions to screen readers. */
export function Announcer() {
  const { t, chat } = useChat();
  const [announcement, announce] = useState('');
  useEffect(() => {
    const { consultation, handovers } = chat;
    let announcedAt = 0;
    const announceProgress = (progress: FileProgress) => {
      if (progress.kind === 'upload') return;
      if (progress.at && Date.now() - announcedAt < MIN_INTERVAL_MS) return;
      announcedAt = Date.now();
      announce(progress.at ? t('readingAt', { ...progress.at }) : t('uploaded'));
    };
    const announceReply = ({ id, conversationId, messages }: Handover) => {
      const reply = messages.findLast(({ from }) => from === 'agent');
      if (reply)
        noticeInBackground({
          title: t('repliedBy', { name: reply.name }),
          body: reply.text.slice(0, 200),
          tag: id,
        });
      if (conversationId !== consultation.state$.value.conversationId) announce(t('repliedElsewhere'));
      else if (reply) announce(t('replied', { name: reply.name, text: reply.text }));
    };
    const subscriptions = new Subscription();
    subscriptions.add(
      consultation.finished$.subscribe((text) => announce(`${t('answerOfDesk')}: ${withoutMarkdown(text)}`)),
    );
    subscriptions.add(consultation.progress$.subscribe(announceProgress));
    subscriptions.add(handovers.replied$.subscribe(announceReply));
    subscriptions.add(merge(handovers.announced$, chat.announced$).subscribe(announce));
    return () => subscriptions.unsubscribe();
  }, [chat, t]);
  // Removes the text after it was announced. Otherwise screen readers and find-in-page would find each answer twice.
  useEffect(() => {
    if (!announcement) return;
    const timer = setTimeout(() => announce(''), CLEAR_AFTER_MS);
    return () => clearTimeout(timer);
  }, [announcement]);
  return (
    <p className="sr" role="status">
      {announcement}
    </p>
  );
}

/** The text without Markdown syntax, which a screen reader would spell out. */
function withoutMarkdown(markdown: string): string {
  return markdown.replaceAll(/\[\d+\]|[*_`#>|]|^\s*[-+]\s/gm, '').trim();
}
