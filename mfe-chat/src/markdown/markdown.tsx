import { memo, type ReactNode, useMemo, useRef } from 'react';
import { Block } from './block.tsx';
import { headingLevels } from './heading-levels.ts';
import type { InlineContext } from './inline.tsx';
import { createBlockReader, lex } from './lex.ts';
import styles from './markdown.module.css';

interface MarkdownProps {
  text: string;
  /** The text still grows: what has settled is not read again, and a caret stands at the end. */
  isGrowing: boolean;
  /** Must keep its identity between renders, or every block is rendered anew. */
  citation: InlineContext['citation'];
  pictureLabel: InlineContext['pictureLabel'];
  tableLabel: string;
}

/** Markdown as React elements by an allow list. Raw HTML is text, pictures are links: nothing remote is ever loaded. */
export const Markdown = memo(function Markdown({
  text,
  isGrowing,
  citation,
  pictureLabel,
  tableLabel,
}: MarkdownProps): ReactNode {
  const reader = useRef(createBlockReader());
  const tokens = useMemo(() => (isGrowing ? reader.current.read(text) : lex(text)), [text, isGrowing]);
  const context = useMemo(() => ({ citation, pictureLabel, depth: 0 }), [citation, pictureLabel]);
  const levels = useMemo(() => headingLevels(tokens), [tokens]);
  return (
    <div className={`${styles.prose} ${isGrowing ? styles.growing : ''}`}>
      {tokens.map((token, index) => (
        <Block
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is known by its place; it never moves
          key={index}
          token={token}
          level={levels.get(index)}
          context={context}
          tableLabel={tableLabel}
        />
      ))}
    </div>
  );
});
