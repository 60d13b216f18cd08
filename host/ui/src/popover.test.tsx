import { expect, test } from '@jest/globals';
import { act, fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { MemoryRouter } from 'react-router-dom';
import { Dialog } from './dialog.tsx';
import { LabelsProvider } from './labels.ts';
import { MenuButton } from './menu.tsx';
import { Popover } from './popover.tsx';

function Card({
  isSticky = false,
  closesOnScroll = false,
}: {
  isSticky?: boolean;
  closesOnScroll?: boolean;
}) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [isDialogOpen, setIsDialogOpen] = useState(false);
  return (
    <>
      <button type="button" onClick={({ currentTarget }) => setAnchor(currentTarget)}>
        Open
      </button>
      <button type="button">Elsewhere</button>
      {anchor && (
        <Popover
          anchor={anchor}
          role="dialog"
          label="Card"
          className="popover"
          isSticky={isSticky}
          closesOnScroll={closesOnScroll}
          onClose={() => setAnchor(null)}
        >
          <input aria-label="Note" data-focus-first />
          <button type="button" onClick={() => setIsDialogOpen(true)}>
            More
          </button>
          {isDialogOpen && (
            <Dialog title="Original" onClose={() => setIsDialogOpen(false)}>
              <button type="button">Inside</button>
            </Dialog>
          )}
        </Popover>
      )}
    </>
  );
}

async function openCard(isSticky = false) {
  const user = userEvent.setup();
  render(<Card isSticky={isSticky} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  return user;
}
const card = () => screen.queryByLabelText('Card');

test('takes the focus, and Escape closes it and returns the focus', async () => {
  const user = await openCard();

  expect(screen.getByRole('textbox', { name: 'Note', hidden: true })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(card()).toBeNull();
  expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
});

test('a press or a focus elsewhere closes it', async () => {
  const user = await openCard();
  await user.click(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(card()).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Open' }));
  act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus());
  expect(card()).toBeNull();
});

test('a sticky popover stays open while the focus is elsewhere', async () => {
  await openCard(true);
  screen.getByRole('button', { name: 'Elsewhere' }).focus();
  expect(card()).not.toBeNull();
});

test('Escape closes a dialog opened from it first', async () => {
  const user = await openCard();
  await user.click(screen.getByRole('button', { name: 'More', hidden: true }));

  await user.keyboard('{Escape}');
  expect(document.querySelector('dialog')).toBeNull();
  expect(card()).not.toBeNull();
  await user.keyboard('{Escape}');
  expect(card()).toBeNull();
});

test('a dialog stays open while an action is running', async () => {
  const user = userEvent.setup();
  let closed = 0;
  const onClose = () => {
    closed += 1;
  };
  const view = (isBusy: boolean) => (
    <LabelsProvider value={{ close: 'Close', cancel: 'Cancel', retry: 'Try again' }}>
      <Dialog title="Delete" isBusy={isBusy} onClose={onClose}>
        Text
      </Dialog>
    </LabelsProvider>
  );
  const { rerender } = render(view(true));

  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.keyboard('{Escape}');
  expect(closed).toBe(0);
  rerender(view(false));
  await user.keyboard('{Escape}');
  expect(closed).toBe(1);
});

test('a menu moves by arrow keys, Home and End, runs an action and returns the focus', async () => {
  const user = userEvent.setup();
  const run: string[] = [];
  render(
    <MemoryRouter>
      <MenuButton
        label="More"
        className="icon-button"
        items={[
          { label: 'Statistics', icon: 'chart', action: { to: '/report' } },
          { label: 'Import', icon: 'open', action: () => void run.push('import') },
          { label: 'Delete', icon: 'trash', isDanger: true, action: () => void run.push('delete') },
        ]}
      >
        …
      </MenuButton>
    </MemoryRouter>,
  );
  const item = (name: string) => screen.getByRole('menuitem', { name, hidden: true });

  await user.click(screen.getByRole('button', { name: 'More' }));
  expect(item('Statistics')).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(item('Delete')).toHaveFocus();
  await user.keyboard('{Home}{ArrowDown}{Enter}');
  expect(run).toEqual(['import']);
  expect(screen.queryByRole('menu', { hidden: true })).toBeNull();
  expect(screen.getByRole('button', { name: 'More' })).toHaveFocus();
});

test.each([true, false])('scrolling its anchor closes it if that is wanted: %p', async (closesOnScroll) => {
  const user = userEvent.setup();
  const { container } = render(<Card closesOnScroll={closesOnScroll} />);
  await user.click(screen.getByRole('button', { name: 'Open' }));
  fireEvent.scroll(card() as Element);
  fireEvent.scroll(screen.getByRole('button', { name: 'Elsewhere' }));
  expect(card()).not.toBeNull();
  fireEvent.scroll(container);
  expect(card() === null).toBe(closesOnScroll);
});
