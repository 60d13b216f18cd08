import { copyText } from 'host/ui/copy-text.ts';
import { createLatePart, useLatePart } from 'host/ui/late-part.tsx';
import { type ReactNode, useCallback, useMemo } from 'react';
import { useChat } from '../state/chat-context.ts';

export const markdown = createLatePart(
  () => import(/* webpackChunkName: "markdown" */ 'host/ui/markdown/markdown.tsx'),
);

/** Level of an answer's first headings: below the conversation's title, the page's h1. */
const FIRST_LEVEL = 2;

interface AnswerTextProps {
  text: string;
  isGrowing: boolean;
  citation(n: number, key: string): ReactNode;
}

/** The answer as Markdown, or as plain text until the renderer is loaded. */
export function AnswerText({ text, isGrowing, citation }: AnswerTextProps) {
  const { services, t } = useChat();
  const { part: renderer } = useLatePart(markdown);
  const pictureLabel = useCallback((label: string) => t('imageLink', { text: label }), [t]);
  const copyCode = useMemo(() => {
    const says = { copied: t('codeCopied'), failed: t('copyFailed') };
    return { label: t('copyCode'), copy: (code: string) => void copyText(code, services.toasts, says) };
  }, [services, t]);
  if (!renderer)
    return (
      <p className="type-read verbatim" dir="auto">
        {text}
      </p>
    );
  return (
    <renderer.Markdown
      text={text}
      isGrowing={isGrowing}
      firstLevel={FIRST_LEVEL}
      citation={citation}
      pictureLabel={pictureLabel}
      tableLabel={t('table')}
      copyCode={copyCode}
    />
  );
}
