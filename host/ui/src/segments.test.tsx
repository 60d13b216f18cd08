import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { Segments } from './segments.tsx';

const CHOICES = [
  { value: 5, label: '5 %' },
  { value: 25, label: '25 %' },
  { value: 50, label: '50 %' },
];

function Control({ start, isManual = false }: { start: number; isManual?: boolean }) {
  const [value, setValue] = useState(start);
  return <Segments label="Share" choices={CHOICES} value={value} isManual={isManual} onChange={setValue} />;
}

const checked = () => screen.queryByRole('radio', { checked: true })?.textContent;

test('arrow keys move and choose, around both ends', async () => {
  const user = userEvent.setup();
  render(<Control start={5} />);

  await user.tab();
  await user.keyboard('{ArrowRight}');
  expect(checked()).toBe('25 %');
  await user.keyboard('{ArrowDown}{ArrowRight}');
  expect(checked()).toBe('5 %');
  await user.keyboard('{ArrowLeft}');
  expect(checked()).toBe('50 %');
  expect(screen.getByRole('radio', { name: '50 %' })).toHaveFocus();
});

test('if a choice takes effect at once, arrow keys only move the focus and Enter chooses', async () => {
  const user = userEvent.setup();
  render(<Control start={5} isManual />);

  await user.tab();
  await user.keyboard('{ArrowRight}{ArrowRight}');
  expect(checked()).toBe('5 %');
  await user.keyboard('{Enter}');
  expect(checked()).toBe('50 %');
});

test('a value that is not among the choices checks none, and the first takes the focus', async () => {
  const user = userEvent.setup();
  render(<Control start={7} />);

  expect(checked()).toBeUndefined();
  await user.tab();
  expect(screen.getByRole('radio', { name: '5 %' })).toHaveFocus();
});
