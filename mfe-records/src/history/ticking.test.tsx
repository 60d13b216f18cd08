import { beforeEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { layOut } from '../testing/lay-out.ts';
import { list, openHistory } from '../testing/open-history.tsx';
import { sampleRecords } from '../testing/sample-records.ts';

const NOON = new Date(2026, 10, 20, 12);

const links = () => within(list()).getAllByRole('link');
const boxes = () => within(list()).getAllByRole<HTMLInputElement>('checkbox');
const ticked = () => boxes().flatMap((box, index) => (box.checked ? [index] : []));

beforeEach(() => layOut());

test('arrow keys, Home and End move between records; Tab stops at one row only', async () => {
  const { user } = openHistory(sampleRecords(5, NOON));
  await screen.findByText('5 条');

  links()[0]?.focus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  await waitFor(() => expect(links()[2]).toHaveFocus());
  await user.keyboard('{ArrowUp}');
  await waitFor(() => expect(links()[1]).toHaveFocus());
  await user.keyboard('{End}');
  await waitFor(() => expect(links()[4]).toHaveFocus());
  expect(links().filter(({ tabIndex }) => tabIndex === 0)).toHaveLength(1);
  await user.keyboard('{Home}');
  await waitFor(() => expect(links()[0]).toHaveFocus());
});

test('changing the language changes texts only: selection, focus and loaded records stay', async () => {
  const { user, services, searches } = openHistory(sampleRecords(5, NOON));
  await screen.findByText('5 条');
  links()[2]?.focus();
  await user.keyboard(' ');
  const asked = searches().length;

  act(() => services.i18n.language$.next('en'));

  expect(screen.getByRole('heading', { name: 'Records' })).toBeVisible();
  const list = screen.getByRole('region', { name: 'List of records' });
  const box = within(list).getAllByRole<HTMLInputElement>('checkbox', { name: /^Select: / })[2];
  expect(box).toBeChecked();
  expect(within(list).getAllByRole('link')[2]).toHaveFocus();
  expect(within(list).getByRole('region', { name: /Nov 20/ })).toBeVisible();
  expect(screen.getByRole('toolbar', { name: 'Selected records' })).toHaveTextContent('1 selected');
  expect(searches()).toHaveLength(asked);
});

test('Space selects, Shift and an arrow key select a range, Escape clears the selection', async () => {
  const { user } = openHistory(sampleRecords(6, NOON));
  await screen.findByText('6 条');

  links()[1]?.focus();
  await user.keyboard(' ');
  expect(ticked()).toEqual([1]);
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');
  await waitFor(() => expect(ticked()).toEqual([1, 2, 3]));
  expect(screen.getByRole('toolbar', { name: '所选记录' })).toHaveTextContent('已选 3 条');

  await user.keyboard('{Escape}');
  expect(ticked()).toEqual([]);
  expect(screen.queryByRole('toolbar', { name: '所选记录' })).toBeNull();

  // The browser itself toggles a checkbox, some even after a key event that was cancelled.
  expect(fireEvent.keyDown(boxes()[0]!, { key: ' ' })).toBe(true);
  expect(ticked()).toEqual([]);
});

test('after moving without Shift, a second range starts where the focus is', async () => {
  const { user } = openHistory(sampleRecords(8, NOON));
  await screen.findByText('8 条');

  links()[0]?.focus();
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  await waitFor(() => expect(links()[1]).toHaveFocus());
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}');
  await waitFor(() => expect(links()[4]).toHaveFocus());
  await user.keyboard('{Shift>}{ArrowDown}{ArrowDown}{/Shift}');

  await waitFor(() => expect(ticked()).toEqual([0, 1, 4, 5, 6]));
});

test('Shift and a press select a range from the last selected record', async () => {
  const { user } = openHistory(sampleRecords(6, NOON));
  await screen.findByText('6 条');

  await user.click(boxes()[4] as HTMLElement);
  await user.keyboard('{Shift>}');
  await user.click(boxes()[1] as HTMLElement);
  await user.keyboard('{/Shift}');

  expect(ticked()).toEqual([1, 2, 3, 4]);
});

test('a checkbox is toggled by Space like any other', async () => {
  const { user } = openHistory(sampleRecords(3, NOON));
  await screen.findByText('3 条');

  boxes()[0]?.focus();
  await user.keyboard(' ');
  expect(ticked()).toEqual([0]);
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(boxes()[1]).toHaveFocus());
  await user.keyboard(' ');
  expect(ticked()).toEqual([0, 1]);
});

test('selects all matching records, loaded or not, except deselected ones', async () => {
  const { user, callsTo } = openHistory(sampleRecords(120, NOON));
  await screen.findByText('120 条');

  await user.click(screen.getByRole('checkbox', { name: '选择找到的全部记录' }));
  expect(screen.getByRole('toolbar')).toHaveTextContent('已选 120 条');
  await user.click(boxes()[2] as HTMLElement);
  expect(screen.getByRole('toolbar')).toHaveTextContent('已选 119 条');
  await user.click(screen.getByRole('button', { name: '删除' }));

  const dialog = await screen.findByRole('dialog', { name: '删除记录' });
  expect(await within(dialog).findByText('输入条数 119 以确认')).toBeVisible();
  const [{ body }] = callsTo('/api/delete_by_ids') as unknown as [{ body: { ids: string[] } }];
  expect([body.ids.length, body.ids.includes('r-2')]).toEqual([119, false]);
});

test('a selection ends with its filter', async () => {
  const { user } = openHistory(sampleRecords(5, NOON));
  await screen.findByText('5 条');
  await user.click(screen.getByRole('checkbox', { name: '选择找到的全部记录' }));
  expect(screen.getByRole('toolbar')).toHaveTextContent('已选 5 条');

  await user.type(screen.getByRole('searchbox', { name: '搜索记录' }), 'zzz{Enter}');
  await screen.findByRole('heading', { name: '没有符合条件的记录' });
  await user.click(screen.getAllByRole('button', { name: '清除条件' })[0]!);

  expect(await screen.findByText('5 条')).toBeVisible();
  expect(ticked()).toEqual([]);
  expect(screen.queryByRole('toolbar')).toBeNull();
});

test('exports the selection as PDF or file with the name given by the server', async () => {
  const saved: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:made', revokeObjectURL: () => undefined });
  jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    saved.push(`${this.getAttribute('href')} ${this.download}`);
  });
  const { user, callsTo } = openHistory(sampleRecords(3, NOON));
  await screen.findByText('3 条');
  await user.click(boxes()[1] as HTMLElement);

  await user.click(screen.getByRole('button', { name: /生成报告/ }));
  await waitFor(() => expect(saved).toEqual(['blob:made 记录.pdf']));
  const { timeZone: tz } = Intl.DateTimeFormat().resolvedOptions();
  expect(callsTo('/api/generate_pdf')[0]?.body).toEqual({ ids: ['r-1'], tz });

  await user.click(screen.getByRole('button', { name: '导出' }));
  await user.click(screen.getByRole('menuitem', { name: '导出 CSV' }));
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(callsTo('/api/export')[0]?.body).toEqual({ ids: ['r-1'], format: 'csv' });

  await user.click(screen.getByRole('button', { name: '更多' }));
  await user.click(screen.getByRole('menuitem', { name: '导出 JSON' }));
  await waitFor(() => expect(saved).toHaveLength(3));
  expect(callsTo('/api/export')[1]?.body).toMatchObject({ filter: {}, format: 'json' });
});

test('the menu opens by keyboard, moves by arrow keys and restores the focus', async () => {
  const { user } = openHistory(sampleRecords(3, NOON));
  await screen.findByText('3 条');

  screen.getByRole('button', { name: '更多' }).focus();
  await user.keyboard('{Enter}');
  expect(screen.getByRole('menuitem', { name: '统计这些记录' })).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(screen.getByRole('menuitem', { name: '按日期删除…' })).toHaveFocus();
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(screen.getByRole('button', { name: '更多' })).toHaveFocus();
});
