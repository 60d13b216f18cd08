import { type ReactNode, useCallback } from 'react';
import { useChat } from '../shared/chat-context.ts';
import { markdown } from './markdown-module.ts';
import styles from './message.module.css';

interface AnswerTextProps {
  text: string;
  isGrowing: boolean;
  citation(n: number, key: string): ReactNode;
}

/** The answer as Markdown, or as plain text until the renderer is loaded. */
export function AnswerText({ text, isGrowing, citation }: AnswerTextProps) {
  const { t } = useChat();
  const renderer = markdown.useModule();
  const pictureLabel = useCallback((label: string) => t('imageLink', { text: label }), [t]);
  if (!renderer)
    return (
      <p className={styles.plain} dir="auto">
        {text}
      </p>
    );
  return (
    <renderer.Markdown
      text={text}
      isGrowing={isGrowing}
      citation={citation}
      pictureLabel={pictureLabel}
      tableLabel={t('table')}
    />
  );
}
