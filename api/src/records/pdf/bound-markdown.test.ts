import { expect, test } from '@jest/globals';
import { Marked, type Token, type Tokens } from 'marked';
import { boundMarkdown } from './set-markdown.ts';

const lex = (text: string) => new Marked({ gfm: true, breaks: true }).lexer(boundMarkdown(text));

function count(tokens: readonly Token[]): number {
  return tokens.reduce((sum, token) => {
    const { rows = [], items = [], tokens: inner = [] } = token as Partial<Tokens.Table & Tokens.List>;
    return sum + 1 + rows.flat().length + count(items) + count(inner);
  }, 0);
}

test.each([
  ['quotes', '> '.repeat(20_000)],
  ['numbered lists', '1. '.repeat(20_000)],
  ['quotes and lists', '> - '.repeat(10_000)],
  ['lists by indentation', Array.from({ length: 500 }, (_, at) => `${' '.repeat(at * 2)}- x`).join('\n')],
  ['a table with many columns', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|x\n'.repeat(200)}`],
])('the number of tokens of %s is proportional to the text', (_what, text) => {
  expect(count(lex(text))).toBeLessThan(text.length);
});

test.each([
  'words > more, 1. and - dash',
  '> > quoted twice\n\n- one\n  - two\n    1. three',
  '| a | b |\n|:--|--:|\n| 1 | 2 |',
  '* * *\n\n- - -',
  '```\n        indented code\n```',
])('ordinary Markdown stays unchanged: %j', (text) => {
  expect(boundMarkdown(text)).toBe(text);
});
