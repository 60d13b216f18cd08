import { useEffect, useState } from 'react';
import type { FileProgress } from '../conversation/chat-message.ts';
import { useChat } from '../shared/chat-context.ts';

/** A live region has been taken up by then, in milliseconds. */
const HEARD_AFTER = 1_000;
/** Pages that are read are told so often at most, in milliseconds. */
const PAGES_EVERY = 10_000;

/** Reads a finished answer out once, and now and then how far its files are, to those who listen to the page. */
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
  // Heard is enough: left there, the page would hold each answer twice, for those who read it line by line and those who search it.
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

/** Without the signs of Markdown, which a voice would spell out. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[\d+\]|[*_`#>|]|^\s*[-+]\s/gm, '').trim();
}
