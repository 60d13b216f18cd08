import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { createStandInServices } from 'host/stand-ins';
import { recordWords } from '../words.ts';
import { AnswerText } from './answer-text.tsx';

function show(markdown: string) {
  const { services } = createStandInServices();
  const t = services.i18n.translator(recordWords);
  const view = render(<AnswerText markdown={markdown} t={t} citations={2} />);
  return view.container.firstElementChild as HTMLElement;
}

test('a line break of the answer is one in the page', () => {
  expect(show('第一行\n第二行').querySelectorAll('br')).toHaveLength(1);
});

test('reads strong marks beside Chinese punctuation', () => {
  const strong = show('已**“受理”**了，**注意：**请核对').querySelectorAll('strong');
  expect([...strong].map(({ textContent }) => textContent)).toEqual(['“受理”', '注意：']);
});

test('a bare address ends where Chinese goes on', () => {
  show('见 https://example.com/x，更多');
  expect(screen.getByRole('link')).toHaveAttribute('href', 'https://example.com/x');
});

test('decodes character references into text', () => {
  expect(show('a &amp; b &lt;i&gt; &#9731; &unknown;')).toHaveTextContent('a & b <i> ☃ &unknown;');
});

test('loads no picture: it becomes a link', () => {
  const prose = show('![流水](https://example.com/a.png)');
  expect(prose.querySelector('img')).toBeNull();
  expect(screen.getByRole('link', { name: '图片：流水 (example.com)' })).toHaveAttribute(
    'href',
    'https://example.com/a.png',
  );
});

test('makes no link of an address that runs code', () => {
  show('[x](&#106;avascript:alert(1)) [y](javascript&colon;alert(1)) [z](data:text/html,x)');
  expect(screen.queryByRole('link')).toBeNull();
});

test.each(['> ', '[', '**a ', '- '])('survives absurdly deep nesting of %j', (mark) => {
  expect(show(`${mark.repeat(5_000)}end`)).toHaveTextContent('end');
});
