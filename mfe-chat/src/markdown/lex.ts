import { Marked, type Token } from 'marked';

const marked = new Marked({ gfm: true, breaks: true });

/** The syntax tree of a whole text. What the lexer cannot take (nested beyond its stack, say) comes back as plain text. */
export function lex(text: string): Token[] {
  try {
    return [...marked.lexer(text)];
  } catch {
    return [{ type: 'text', raw: text, text, escaped: false }];
  }
}

/** Reads a text that grows. Call it with the whole text each time. */
export interface BlockReader {
  read(text: string): readonly Token[];
}

/**
 * Later text can change nothing before the last block (a reference defined later aside, which the final `lex` settles), so only the
 * last one is read again. Blocks before it keep their identity, and with it their rendered elements.
 */
export function createBlockReader(): BlockReader {
  let settled: Token[] = [];
  let settledText = '';

  return {
    read(raw) {
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
