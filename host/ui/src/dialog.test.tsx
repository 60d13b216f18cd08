import { expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useRef, useState } from 'react';
import { Dialog } from './dialog.tsx';
import { LabelsProvider } from './labels.ts';

const labels = { close: 'close', cancel: 'cancel', retry: 'retry' };

function Page() {
  const [isOpen, setIsOpen] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const finish = () => {
    field.current?.focus();
    setIsOpen(false);
  };
  return (
    <main>
      <button type="button" onClick={() => setIsOpen(true)}>
        open
      </button>
      <input ref={field} aria-label="next" />
      {isOpen && (
        <Dialog title="title" onClose={() => setIsOpen(false)}>
          <input aria-label="name" />
          <button type="button" onClick={finish}>
            finish
          </button>
        </Dialog>
      )}
    </main>
  );
}

test('the first field has the focus; afterwards the opener, or what the action chose', async () => {
  const user = userEvent.setup();
  render(<Page />);
  const opener = screen.getByRole('button', { name: 'open' });
  await user.click(opener);
  expect(screen.getByRole('textbox', { name: 'name' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(opener).toHaveFocus();

  await user.click(opener);
  await user.click(screen.getByRole('button', { name: 'finish' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('textbox', { name: 'next' })).toHaveFocus();
});

test('the back gesture of a phone closes it, a file chooser that is cancelled does not', async () => {
  const user = userEvent.setup();
  render(<Page />);
  await user.click(screen.getByRole('button', { name: 'open' }));
  const cancel = () => new Event('cancel', { bubbles: true, cancelable: true });
  fireEvent(screen.getByRole('textbox', { name: 'name' }), cancel());
  expect(screen.getByRole('dialog')).toBeVisible();
  const own = cancel();
  fireEvent(screen.getByRole('dialog'), own);
  expect(screen.queryByRole('dialog')).toBeNull();
  // Otherwise the browser would close the element while React still shows it.
  expect(own.defaultPrevented).toBe(true);
});

test('while an action is running nothing closes or submits the dialog again', async () => {
  const user = userEvent.setup();
  const done: string[] = [];
  const show = (isBusy: boolean) => (
    <LabelsProvider value={labels}>
      <Dialog
        title="title"
        isBusy={isBusy}
        onClose={() => done.push('close')}
        onSubmit={() => done.push('submit')}
      >
        <input aria-label="name" />
        <button type="submit">save</button>
      </Dialog>
    </LabelsProvider>
  );
  const { rerender } = render(show(true));
  const everything = async () => {
    await user.click(screen.getByRole('button', { name: 'save' }));
    await user.type(screen.getByRole('textbox', { name: 'name' }), '{Enter}{Escape}');
    await user.click(screen.getByRole('button', { name: 'close' }));
    fireEvent.pointerDown(screen.getByRole('dialog'));
  };
  await everything();
  expect(done).toEqual([]);
  rerender(show(false));
  await everything();
  expect(done).toEqual(['submit', 'submit', 'close', 'close', 'close']);
});
