import { CitationButton, DoubtMark } from 'host/ui/citation-mark.tsx';
import { Markdown } from 'host/ui/markdown/markdown.tsx';
import { useTexts } from 'host/ui/screen.tsx';
import { type ReactNode, useCallback } from 'react';
import { recordTexts } from './texts.ts';

/** Level of an answer's first headings: the page has an h1, and an h2 above every answer. */
const FIRST_LEVEL = 3;

interface SavedAnswerProps {
  markdown: string;
  /** Number of sources; `[n]` with a higher number is shown as text. Default 0. */
  citations?: number;
  onCite?(n: number): void;
  /** Shows plain text, with the words of a search marked, for example. */
  showText?(text: string): ReactNode;
}

export function SavedAnswer({ markdown, citations = 0, onCite, showText }: SavedAnswerProps) {
  const t = useTexts(recordTexts);
  const citation = useCallback(
    (n: number, key: string) =>
      n === 0 && citations > 0 ? (
        <DoubtMark key={key} label={t('noSupport')} />
      ) : n >= 1 && n <= citations ? (
        <CitationButton key={key} n={n} label={t('cite', { n })} onCite={(cited) => onCite?.(cited)} />
      ) : null,
    [citations, onCite, t],
  );
  const pictureLabel = useCallback((text: string) => t('pictureLink', { text }), [t]);
  return (
    <Markdown
      text={markdown}
      firstLevel={FIRST_LEVEL}
      citation={citation}
      pictureLabel={pictureLabel}
      tableLabel={t('table')}
      {...(showText && { showText })}
    />
  );
}
