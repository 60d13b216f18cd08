import { Marked, type Token } from 'marked';
import { memo, type ReactNode, useMemo, useRef } from 'react';
import { Block, type BlockContext } from './block.tsx';
import styles from './markdown.module.css';

interface MarkdownProps extends Pick<BlockContext, 'tableLabel' | 'pictureLabel' | 'copyCode'> {
  text: string;
  /** The text is still arriving: finished blocks are not parsed again, and a caret is shown at the end. */
  isGrowing?: boolean;
  /** Level of the outermost headings: one below the heading above the text. */
  firstLevel: number;
  /** By default `[n]` is shown as text. Pass the same function each time; otherwise every block is rendered again. */
  citation?: BlockContext['citation'];
  /** By default the text itself. Pass the same function each time, too. */
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

/** Levels by index of the heading, each one below its parent, because screen readers need an outline without gaps. */
function headingLevels(tokens: readonly Token[], firstLevel: number): Map<number, number> {
  const above: number[] = [];
  const levels = new Map<number, number>();
  for (const [index, token] of tokens.entries()) {
    if (token.type !== 'heading') continue;
    while (above.length > 0 && above.at(-1)! >= token.depth) above.pop();
    levels.set(index, Math.min(firstLevel + above.length, 6));
    above.push(token.depth);
  }
  return levels;
}

const marked = new Marked({ gfm: true, breaks: true });

/** The syntax tree of a whole text. What the lexer cannot read (nested deeper than its stack, for example) is returned as plain text. */
export function lex(text: string): Token[] {
  try {
    return [...marked.lexer(text)];
  } catch {
    return [{ type: 'text', raw: text, text, escaped: false }];
  }
}

/**
 * Parses a growing text. Call it with the whole text each time.
 * Appended text only changes the last block (except for references defined later, which the final `lex` resolves), so only the last
 * block is parsed again. The blocks before it keep their identity, and with it their rendered elements.
 */
export function createBlockReader() {
  let settled: Token[] = [];
  let settledText = '';

  return {
    read(raw: string): readonly Token[] {
      const text = raw.replaceAll(/\r\n?/g, '\n');
      if (!text.startsWith(settledText)) {
        settled = [];
        settledText = '';
      }
      const tail = lex(text.slice(settledText.length));
      const lastBlock = tail.findLastIndex(({ type }) => type !== 'space');
      const closed = tail.slice(0, Math.max(lastBlock, 0));
      if (closed.length && tail.map((token) => token.raw).join('') === text.slice(settledText.length)) {
        settled = [...settled, ...closed];
        settledText += closed.map((token) => token.raw).join('');
        return [...settled, ...tail.slice(closed.length)];
      }
      return [...settled, ...tail];
    },
  };
}
