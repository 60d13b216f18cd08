import { Marked, type Token } from 'marked';

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
