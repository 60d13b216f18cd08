import { expect, test } from '@jest/globals';
import { fireEvent, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useCombobox } from './use-combobox.ts';

const names = ['Ann', 'Bob', 'Cai'];

function Field({ startsAt, onChoose }: { startsAt: 0 | -1; onChoose(index: number): void }) {
  const { active, field, list, option } = useCombobox({ count: names.length, startsAt, onChoose });
  return (
    <>
      <input aria-label="Name" {...field} />
      <ul {...list('Names')}>
        {names.map((name, index) => (
          <li key={name} {...option(index)}>
            {name}
          </li>
        ))}
      </ul>
      <output>{active}</output>
    </>
  );
}

function open(startsAt: 0 | -1) {
  const chosen: number[] = [];
  render(<Field startsAt={startsAt} onChoose={(index) => chosen.push(index)} />);
  const field = screen.getByRole('combobox', { name: 'Name' });
  field.focus();
  const active = () => {
    const option = document.getElementById(field.getAttribute('aria-activedescendant') ?? '');
    expect(option?.getAttribute('aria-selected') ?? null).toBe(option && 'true');
    return option?.textContent ?? null;
  };
  return { chosen, field, active, user: userEvent.setup() };
}

test('arrow keys continue at the other end, Enter and a click choose, and the focus stays in the field', async () => {
  const { chosen, field, active, user } = open(0);
  expect(field).toHaveAttribute('aria-expanded', 'true');
  expect(active()).toBe('Ann');
  await user.keyboard('{ArrowUp}');
  expect(active()).toBe('Cai');
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(active()).toBe('Bob');
  await user.click(screen.getByRole('option', { name: 'Cai' }));
  expect(chosen).toEqual([1, 2]);
  expect(field).toHaveFocus();
});

test('without an active option Enter chooses none; arrow down starts at the first option, arrow up at the last', async () => {
  const { chosen, active, user } = open(-1);
  expect(active()).toBeNull();
  await user.keyboard('{Enter}');
  expect(chosen).toEqual([]);
  await user.keyboard('{ArrowUp}');
  expect(active()).toBe('Cai');
});

test('keys of an input method choose nothing', () => {
  const { chosen, field, active } = open(0);
  fireEvent.keyDown(field, { key: 'ArrowDown', isComposing: true });
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect([active(), chosen]).toEqual(['Ann', []]);
});
