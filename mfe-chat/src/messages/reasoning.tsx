import { useState } from 'react';
import { useChat } from '../shared/chat-context.ts';
import { Icon } from '../shared/icon.tsx';
import styles from './message.module.css';

interface ReasoningProps {
  text: string;
  /** No word of the answer has been said yet. */
  isThinking: boolean;
}

/** What a model thought aloud, behind a fold, as plain characters. Closed, a growing text costs nothing. */
export function Reasoning({ text, isThinking }: ReasoningProps) {
  const { t } = useChat();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.reasoning} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" small />
        {isThinking ? `${t('thinking')}…` : t('reasoning')}
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long thought is scrolled by keyboard too
        <p tabIndex={0} dir="auto">
          {text}
        </p>
      )}
    </details>
  );
}
