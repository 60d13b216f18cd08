import type { Tokens } from 'marked';
import { memo, type ReactNode } from 'react';
import { createLatePart, useLatePart } from '../late-part.tsx';

export const highlighting = createLatePart(
  () => import(/* webpackChunkName: "highlighting" */ './highlighted-code.tsx'),
);

/** Longer code stays in one colour, because the whole of it is split at once. In UTF-16 units. */
const MAX_HIGHLIGHTED = 20_000;

interface CodeTextProps {
  token: Tokens.Code;
  /** First word after the opening fence. */
  language: string;
  showText(text: string): ReactNode;
}

/**
 * The text of a code block: its keywords, strings and comments in colour once the block is closed, unless words of a search are marked in it.
 */
export function CodeText({ token: { text, raw }, language, showText }: CodeTextProps): ReactNode {
  const shown = showText(text);
  const isPlain = !language || text.length > MAX_HIGHLIGHTED || shown !== text || !isClosed(raw);
  return isPlain ? shown : <InColour text={text} language={language} />;
}

const InColour = memo(function InColour({ text, language }: { text: string; language: string }): ReactNode {
  const { part } = useLatePart(highlighting);
  return part ? <part.HighlightedCode text={text} language={language} /> : text;
});

/** An open block is still arriving, or the answer ended within it. */
function isClosed(raw: string): boolean {
  const fence = /^ *(`{3,}|~{3,})/.exec(raw)?.[1];
  const lines = raw.trimEnd().split('\n');
  return fence !== undefined && lines.length > 1 && (lines.at(-1) ?? '').trim().startsWith(fence);
}
