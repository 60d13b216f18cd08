import { memo, type ReactNode, useMemo, useRef } from 'react';
import { Block, type BlockContext } from './block.tsx';
import { headingLevels } from './heading-levels.ts';
import { createBlockReader, lex } from './lex.ts';
import styles from './markdown.module.css';

interface MarkdownProps extends Pick<BlockContext, 'tableLabel' | 'pictureLabel' | 'copyCode'> {
  text: string;
  /** The text is still arriving: finished blocks are not parsed again, and a caret is shown at the end. */
  isGrowing?: boolean;
  /** Level of the outermost headings: one below the heading above the text. */
  firstLevel: number;
  /** Default: `[n]` stays as it was written. Should keep its identity, or every block is rendered again. */
  citation?: BlockContext['citation'];
  /** Default: the text itself. Should keep its identity as well. */
  showText?: BlockContext['showText'];
}

/** Markdown as React elements, by an allow list. Raw HTML is shown as text and pictures become links, so nothing is loaded from elsewhere. */
export const Markdown = memo(function Markdown({
  text,
  isGrowing = false,
  firstLevel,
  citation = noCitation,
  showText = asItIs,
  pictureLabel,
  tableLabel,
  copyCode,
}: MarkdownProps): ReactNode {
  const reader = useRef(createBlockReader());
  const tokens = useMemo(() => (isGrowing ? reader.current.read(text) : lex(text)), [text, isGrowing]);
  const context = useMemo(
    () => ({ citation, showText, pictureLabel, tableLabel, copyCode, firstLevel, depth: 0 }),
    [citation, showText, pictureLabel, tableLabel, copyCode, firstLevel],
  );
  const levels = useMemo(() => headingLevels(tokens, firstLevel), [tokens, firstLevel]);
  return (
    <div className={`${styles.prose} ${isGrowing ? styles.growing : ''}`}>
      {tokens.map((token, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no other identity and never move
          key={index}
          token={token}
          level={levels.get(index)}
          context={context}
        />
      ))}
    </div>
  );
});

function noCitation(): null {
  return null;
}

function asItIs(text: string): ReactNode {
  return text;
}
