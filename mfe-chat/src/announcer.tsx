import { useEffect, useState } from 'react';
import { useChat } from './chat-context.ts';

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
