import { useEffect, useState } from 'react';
import type { FileProgress } from '../conversation/chat-message.ts';
import { useChat } from '../shared/chat-context.ts';

/** Time after which screen readers have announced new text, in milliseconds. */
const HEARD_AFTER = 1_000;
/** Minimum interval between announcements of the reading progress, in milliseconds. */
const PAGES_EVERY = 10_000;

/** Announces finished answers and the progress of files to screen readers. */
export function Announcer() {
  const { t, chat } = useChat();
  const [said, setSaid] = useState('');
  useEffect(() => {
    const following = chat.consultation.finished$.subscribe((text) =>
      setSaid(`${t('answerOfDesk')}: ${plain(text)}`),
    );
    let toldAt = 0;
    const files = chat.consultation.progress$.subscribe((progress: FileProgress) => {
      if (progress.kind === 'upload') return;
      if (progress.at === null) {
        toldAt = Date.now();
        setSaid(t('uploaded'));
      } else if (Date.now() - toldAt >= PAGES_EVERY) {
        toldAt = Date.now();
        const { name, done, total } = progress.at;
        setSaid(t('readingAt', { name, done, total }));
      }
    });
    return () => {
      following.unsubscribe();
      files.unsubscribe();
    };
  }, [chat, t]);
  // Removes the text after it was announced. Otherwise screen readers and find-in-page would find each answer twice.
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(''), HEARD_AFTER);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <p className="sr" role="status">
      {said}
    </p>
  );
}

/** The text without Markdown syntax, which a screen reader would spell out. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[\d+\]|[*_`#>|]|^\s*[-+]\s/gm, '').trim();
}
