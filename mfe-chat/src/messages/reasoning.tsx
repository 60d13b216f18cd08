import { Icon } from 'host/ui/icon.tsx';
import { useState } from 'react';
import { useChat } from '../shared/chat-context.ts';
import styles from './message.module.css';

interface ReasoningProps {
  text: string;
  /** The answer itself has not started yet. */
  isThinking: boolean;
}

/** The model's reasoning as plain text in a collapsed section. While closed, growing text is not rendered. */
export function Reasoning({ text, isThinking }: ReasoningProps) {
  const { t } = useChat();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.reasoning} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" isSmall />
        {isThinking ? `${t('thinking')}…` : t('reasoning')}
      </summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: allows scrolling by keyboard
        <p tabIndex={0} dir="auto">
          {text}
        </p>
      )}
    </details>
  );
}
