import { useEffect, useState } from 'react';
import { useChat } from './chat-context.ts';

/** A live region has been taken up by then, in milliseconds. */
const HEARD_AFTER = 1_000;

/** Reads a finished answer out once, to those who listen to the page. */
export function Announcer() {
  const { t, desk } = useChat();
  const [said, setSaid] = useState('');
  useEffect(() => {
    const following = desk.consultation.finished$.subscribe((text) =>
      setSaid(`${t('answerOfDesk')}: ${plain(text)}`),
    );
    return () => following.unsubscribe();
  }, [desk, t]);
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
