import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { SourceText } from './source-text.tsx';

test('a cell with a vertical bar is shown as in the document, and the quoted row is marked', () => {
  const text = '| a | b |\n|---|---|\n| x \\| y | z |\n';
  const quote = { start: text.indexOf('x'), end: text.indexOf('y') + 1 };
  const part = { start: 0, end: text.length, length: text.length, text, places: [] };
  render(<SourceText part={part} quote={quote} t={(key) => key} />);

  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['x | y', 'z']);
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual(['a', 'b']);
  expect(screen.getByRole('row', { name: /x \| y/ })).toHaveAttribute('data-quoted', 'true');
});
