import { expect, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { createStandInServices } from 'host/stand-ins';
import { ScreenServices } from 'host/ui/screen.tsx';
import { SavedAnswer } from './saved-answer.tsx';

function show(markdown: string, onCite?: (n: number) => void) {
  const { services } = createStandInServices();
  const view = render(
    <ScreenServices services={services}>
      <SavedAnswer markdown={markdown} citations={2} {...(onCite && { onCite })} />
    </ScreenServices>,
  );
  return view.container.firstElementChild as HTMLElement;
}

test('headings begin below the h2 above the answer', () => {
  show('# a');
  expect(screen.getByRole('heading', { level: 3, name: 'a' })).toBeInTheDocument();
});

test('marks a citation for each source and leaves other brackets alone', async () => {
  const cited: number[] = [];
  show('到账 [1]，说明[2]；数组 a[9]', (n) => cited.push(n));
  const marks = screen.getAllByRole('button');
  for (const mark of marks) await userEvent.click(mark);
  expect(cited).toEqual([1, 2]);
});

test('loads no picture: it becomes a link', () => {
  const prose = show('![流水](https://example.com/a.png)');
  expect(prose.querySelector('img')).toBeNull();
  expect(screen.getByRole('link', { name: '图片：流水 (example.com)' })).toHaveAttribute(
    'href',
    'https://example.com/a.png',
  );
});
