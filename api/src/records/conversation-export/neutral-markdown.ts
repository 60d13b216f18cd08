import { decodeHTMLStrict } from 'entities/decode';
import { marked, type Token, type Tokens } from 'marked';

/**
 * Markdown of a model as it may be opened in any viewer: without pictures, which would send what an injected
 * document made the model write, HTML, and links that are more than an address. They stand there as words. Code
 * is unchanged.
 */
export function neutralMarkdown(markdown: string): string {
  const neutral = marked.lexer(markdown).map(neutralBlock).join('');
  // Viewers read Markdown differently: what is not certainly harmless becomes plain text.
  return isHarmless(neutral) ? neutral : markdown.replaceAll(/[\\`*_[\]<>!#|~&:]/g, '\\$&');
}

function neutralBlock(block: Token): string {
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(block.raw)?.[1];
  if (block.type === 'code' && fence) {
    const isClosed = block.raw.trimEnd().split('\n').at(-1)!.trim().startsWith(fence);
    return isClosed ? block.raw : `${block.raw}\n${fence}\n`;
  }
  // What was inside HTML must not begin a block of code once the HTML is words.
  return block.type === 'html' ? neutralText(block.raw).replaceAll(/[`~]/g, '\\$&') : neutralText(block.raw);
}

/** Escaped characters and spans of code stay; a span ends with as many backticks as it began with. */
const pieces = /\\[\s\S]|(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)|<|!(?=\[)|\]:|\]\(\s*<?([^)\s>]*)/g;

function neutralText(text: string): string {
  return text.replaceAll(pieces, (piece: string, _ticks: string | undefined, address: string | undefined) => {
    if (piece === '<' || piece === '!' || piece === ']:') return `\\${piece}`;
    // The address may contain what else is escaped.
    if (piece.startsWith('](')) return (isAddress(address ?? '') ? ']' : '\\]') + neutralText(piece.slice(1));
    return piece;
  });
}

const schemes = /^(?:https?:|mailto:|tel:)/i;

/** Whether following it can only open a page, a mail or a call, or leads within the document. */
function isAddress(written: string): boolean {
  const address = decodeHTMLStrict(written.replaceAll(/\\(?=[!-/:-@[-`{-~])/g, ''));
  return schemes.test(address) || !/[:\p{Cc}]/u.test(address);
}

function isHarmless(markdown: string): boolean {
  let isOk = true;
  void marked.walkTokens(marked.lexer(markdown), (token) => {
    if (token.type === 'image' || token.type === 'html' || token.type === 'def') isOk = false;
    if (token.type === 'link' && !isAddress((token as Tokens.Link).href)) isOk = false;
  });
  return isOk;
}
