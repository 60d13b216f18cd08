import type { Handover } from 'api/contract/handover';
import { noticeInBackground } from 'host/ui/background-notice.ts';
import { useEffect, useState } from 'react';
import { merge, Subscription } from 'rxjs';
import { useChat } from '../state/chat-context.ts';
import type { FileProgress } from '../state/chat-message.ts';

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
