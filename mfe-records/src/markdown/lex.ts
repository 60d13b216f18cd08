import { Marked, type Token } from 'marked';

const marked = new Marked({ gfm: true, breaks: true });

/** The syntax tree of a text. What the lexer cannot read (nested deeper than its stack, for example) is returned as plain text. */
export function lex(text: string): Token[] {
  try {
    return [...marked.lexer(text)];
  } catch {
    return [{ type: 'text', raw: text, text, escaped: false }];
  }
}
