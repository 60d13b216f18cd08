import { noticeInBackground } from 'host/ui/background-notice.ts';
import { useEffect, useState } from 'react';
import { useChat } from '../state/chat-context.ts';
import type { FileProgress } from '../state/chat-message.ts';
import type { ChatState } from '../state/chat-state.ts';

/** Time after which screen readers have announced new text, in milliseconds. */
const CLEAR_AFTER_MS = 1_000;
/** Minimum interval between announcements of the reading progress, in milliseconds. */
const MIN_INTERVAL_MS = 10_000;

/** Announces finished answers, replies of people, the progress of files and silent actions to screen readers. */
export function Announcer() {
  const { t, chat } = useChat();
  const [announcement, setAnnouncement] = useState('');
  useEffect(() => {
    const finished = chat.consultation.finished$.subscribe((text) =>
      setAnnouncement(`${t('answerOfDesk')}: ${withoutMarkdown(text)}`),
    );
    const actions = chat.announced$.subscribe(setAnnouncement);
    let announcedAt = 0;
    const files = chat.consultation.progress$.subscribe((progress: FileProgress) => {
      if (progress.kind === 'upload') return;
      if (progress.at === null) {
        announcedAt = Date.now();
        setAnnouncement(t('uploaded'));
      } else if (Date.now() - announcedAt >= MIN_INTERVAL_MS) {
        announcedAt = Date.now();
        const { name, done, total } = progress.at;
        setAnnouncement(t('readingAt', { name, done, total }));
      }
    });
    const endReplies = announceReplies(chat, t, setAnnouncement);
    return () => {
      endReplies();
      finished.unsubscribe();
      actions.unsubscribe();
      files.unsubscribe();
    };
  }, [chat, t]);
  // Removes the text after it was announced. Otherwise screen readers and find-in-page would find each answer twice.
  useEffect(() => {
    if (!announcement) return;
    const timer = setTimeout(() => setAnnouncement(''), CLEAR_AFTER_MS);
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

/** Announces replies of people while the page is open, and other changes of the handovers. Returns a function that ends this. */
function announceReplies(
  { handovers, consultation }: ChatState,
  t: ReturnType<typeof useChat>['t'],
  announce: (sentence: string) => void,
): () => void {
  const subscriptions = [
    handovers.announced$.subscribe(announce),
    handovers.replied$.subscribe(({ id, conversationId, messages }) => {
      const reply = messages.findLast(({ from }) => from === 'agent');
      if (reply)
        noticeInBackground({
          title: t('repliedBy', { name: reply.name }),
          body: reply.text.slice(0, 200),
          tag: id,
        });
      if (conversationId !== consultation.state$.value.conversationId) announce(t('repliedElsewhere'));
      else if (reply) announce(t('replied', { name: reply.name, text: reply.text }));
    }),
  ];
  return () => {
    for (const subscription of subscriptions) subscription.unsubscribe();
  };
}
