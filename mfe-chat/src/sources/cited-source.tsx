import { createSourceReader } from 'host/ui/documents/source-reader.ts';
import { sourceTexts } from 'host/ui/documents/source-texts.ts';
import { SourceViewer } from 'host/ui/documents/source-viewer.tsx';
import { useTranslate } from 'host/ui/use-translate.ts';
import { type ComponentProps, useMemo } from 'react';
import { useChat } from '../state/chat-context.ts';
import type { OpenSource } from '../state/chat-state.ts';

interface ChatSourceProps extends Pick<ComponentProps<typeof SourceViewer>, 'source' | 'steps' | 'variant'> {
  onClose(): void;
}

/** A document that an answer cites or considered. */
export function ChatSource(props: ChatSourceProps) {
  const { services } = useChat();
  const t = useTranslate(services.i18n, sourceTexts);
  const reader = useMemo(() => createSourceReader(services.http), [services]);
  return (
    <SourceViewer
      {...props}
      reader={reader}
      t={t}
      onProblem={(text) => void services.toasts.show({ kind: 'error', text })}
    />
  );
}

interface CitedSourceProps {
  open: OpenSource;
  variant: 'panel' | 'dialog';
  onStep(n: number): void;
  onClose(): void;
}

/** The document that an answer cites, at the quote. */
export function CitedSource({ open: { citations, n }, variant, onStep, onClose }: CitedSourceProps) {
  const citation = citations[n - 1];
  if (!citation) return null;
  return (
    <ChatSource
      source={{ title: citation.title, href: citation.href, quote: citation }}
      steps={{ n, count: citations.length, onStep }}
      variant={variant}
      onClose={onClose}
    />
  );
}
