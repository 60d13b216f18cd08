import { copyText } from 'host/ui/copy-text.ts';
import { type ReactNode, useMemo } from 'react';
import { useChat } from '../state/chat-context.ts';
import { MarkdownText } from './markdown-text.tsx';

/** Level of an answer's first headings: below the conversation's title, the page's h1. */
const FIRST_LEVEL = 2;

interface AnswerTextProps {
  text: string;
  isGrowing: boolean;
  /** Renders the mark of a citation. By default brackets in the text are plain text. */
  citation?(n: number, key: string): ReactNode;
}

/** The answer, with buttons that copy its code. */
export function AnswerText(props: AnswerTextProps) {
  const { services, t } = useChat();
  const copyCode = useMemo(() => {
    const says = { copied: t('codeCopied'), failed: t('copyFailed') };
    return { label: t('copyCode'), copy: (code: string) => void copyText(code, services.toasts, says) };
  }, [services, t]);
  return <MarkdownText {...props} firstLevel={FIRST_LEVEL} copyCode={copyCode} t={t} />;
}
