import { expect, jest, test } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { MenuButton, type MenuItem } from './menu.tsx';

const item = (label: string, action: MenuItem['action'] = () => undefined): MenuItem => ({
  label,
  icon: 'trash',
  action,
});
const menu = (items: MenuItem[]) => (
  <MemoryRouter>
    <MenuButton className="button" label="More" items={items}>
      …
    </MenuButton>
  </MemoryRouter>
);
const labels = () => screen.getAllByRole('menuitem').map((one) => one.textContent);

test('items that appear while the menu is open are added at its end', async () => {
  const user = userEvent.setup();
  const { rerender } = render(menu([item('Import')]));
  const button = screen.getByRole('button', { name: 'More' });
  await user.click(button);
  rerender(menu([item('Export'), item('Import')]));
  expect(labels()).toEqual(['Import', 'Export']);

  await user.click(button);
  await user.click(button);
  expect(labels()).toEqual(['Export', 'Import']);
});

test('an item below the line stays last, also after items that appear later', async () => {
  const user = userEvent.setup();
  const { rerender } = render(menu([{ ...item('Leave'), isApart: true }]));
  await user.click(screen.getByRole('button', { name: 'More' }));
  rerender(menu([item('Export'), { ...item('Leave'), isApart: true }]));
  expect(labels()).toEqual(['Export', 'Leave']);
});

test('an item runs its action after the menu has closed and the focus is back on the button', async () => {
  const user = userEvent.setup();
  const run = jest.fn(() => document.activeElement?.getAttribute('aria-label'));
  render(menu([item('Import', run)]));
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.click(screen.getByRole('menuitem', { name: 'Import' }));
  expect(run).toHaveReturnedWith('More');
  expect(screen.queryByRole('menu')).toBeNull();
});

test('Tab closes the menu', async () => {
  const user = userEvent.setup();
  render(menu([item('Import'), item('Export')]));
  await user.click(screen.getByRole('button', { name: 'More' }));
  await user.tab();
  expect(screen.queryByRole('menu')).toBeNull();
});
