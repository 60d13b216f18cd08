import { afterEach, expect, jest, test } from '@jest/globals';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ContactSearch } from 'api/contract/contacts';
import type { Contact } from 'api/contract/records';
import { type Answers, createStandInServices, failure } from 'host/stand-ins';
import { MemoryRouter, useLocation, useNavigate } from 'react-router';
import { ScreenRoot } from '../../lib/screen-root.tsx';
import { dayIn, presetRange } from './days.ts';
import { useFilter } from './filter.ts';
import { FilterBar } from './filter-bar.tsx';

afterEach(() => void jest.useRealTimers());

const ZHANG = { id: '13800138000', name: '张三' };
const CONTACTS: Contact[] = [
  ZHANG,
  { id: 'dev@northwind.cn', name: '' },
  { id: 'a-1', name: '李敏' },
  { id: 'a-2', name: '李敏' },
];
const TODAY = dayIn(undefined);

interface Seen {
  /** The parameters in query and fragment of the address. */
  search: string;
  hash: string;
  steps: number;
  back(): void;
}

function Bar({ standIns, seen }: { standIns: ReturnType<typeof createStandInServices>; seen: Seen }) {
  const { filter, setFilter } = useFilter();
  const { search, hash, key } = useLocation();
  const navigate = useNavigate();
  Object.assign(seen, { search, hash, key });
  seen.back = () => navigate(-1);
  return (
    <ScreenRoot services={standIns.services}>
      <FilterBar filter={filter} onChange={setFilter} />
    </ScreenRoot>
  );
}

function open(search = '', answers: Answers = {}, language: 'zh' | 'en' = 'zh') {
  const standIns = createStandInServices({
    language,
    answers: {
      'POST /api/contacts/search': ({ body }) => {
        const { q = '' } = body as ContactSearch;
        const contacts = CONTACTS.filter(({ id, name }) => id.includes(q) || name.includes(q));
        return { contacts, nextCursor: null };
      },
      ...answers,
    },
  });
  const seen: Seen = { search: '', hash: '', steps: 0, back: () => undefined };
  render(
    <MemoryRouter initialEntries={['/before', `/history${search}`]}>
      <Bar standIns={standIns} seen={seen} />
    </MemoryRouter>,
  );
  const params = () =>
    Object.fromEntries([...new URLSearchParams(seen.search), ...new URLSearchParams(seen.hash.slice(1))]);
  return { ...standIns, seen, params, user: userEvent.setup() };
}

const box = () => screen.getByRole('searchbox', { name: '搜索记录' });

test('typing searches after a pause, without a history entry', () => {
  jest.useFakeTimers();
  const { params, seen } = open('?r=7&bin=1');
  fireEvent.change(box(), { target: { value: '退' } });
  act(() => void jest.advanceTimersByTime(299));
  fireEvent.change(box(), { target: { value: '退款' } });
  act(() => void jest.advanceTimersByTime(299));
  expect(params().q).toBeUndefined();
  act(() => void jest.advanceTimersByTime(1));
  expect(params()).toEqual({ q: '退款', r: '7', bin: '1' });
  act(() => seen.back());
  expect(params()).toEqual({});
});

test('Enter searches immediately; the button clears the field', async () => {
  const { params, user } = open();
  await user.type(box(), '退款{Enter}');
  expect(params()).toEqual({ q: '退款' });
  await user.click(screen.getByRole('button', { name: '清空搜索框' }));
  expect(box()).toHaveValue('');
  expect(box()).toHaveFocus();
  expect(params()).toEqual({});
});

test('does not search while an input method is composing', () => {
  jest.useFakeTimers();
  const { params } = open();
  fireEvent.compositionStart(box());
  fireEvent.change(box(), { target: { value: 'tui' } });
  fireEvent.keyDown(box(), { key: 'Enter', keyCode: 229 });
  act(() => void jest.advanceTimersByTime(1000));
  expect(params()).toEqual({});
  fireEvent.change(box(), { target: { value: '退款' } });
  fireEvent.compositionEnd(box());
  act(() => void jest.advanceTimersByTime(1000));
  expect(params()).toEqual({ q: '退款' });
});

test('dates and a known contact become chips, and text again', async () => {
  const { params, user } = open();
  await user.type(box(), '上周 张三 退款');
  expect(screen.getByText('按回车，“上周” 变成日期条件')).toBeVisible();
  await user.keyboard('{Enter}');

  const { from, to } = presetRange('lastWeek', TODAY);
  await waitFor(() => expect(params()).toEqual({ q: '退款', from, to, contact: ZHANG.id }));
  await waitFor(() => expect(box()).toHaveValue('退款'));
  expect(await screen.findByRole('button', { name: '张三 138 0013 8000' })).toBeVisible();

  await user.click(screen.getByRole('button', { name: '去掉日期条件' }));
  expect(box()).toHaveValue('上周 退款');
  await user.click(screen.getByRole('button', { name: '去掉联系人条件' }));
  expect(box()).toHaveValue('张三 上周 退款');

  // The words stay text until they are edited.
  await user.type(box(), '{Enter}');
  expect(params()).toEqual({ q: '张三 上周 退款' });
  await user.clear(box());
  await user.type(box(), '上周{Enter}');
  expect(params()).toEqual({ from, to });
});

test('a name of several contacts stays text, with a hint', async () => {
  const { params, user } = open();
  await user.type(box(), '李敏 退款{Enter}');
  expect(await screen.findByText('有几位联系人叫 “李敏”，请在联系人中选一位')).toBeVisible();
  expect(params()).toEqual({ q: '李敏 退款' });
});

test('recognises a contact’s number in any format; quoted words stay text', async () => {
  const { params, user } = open();
  await user.type(box(), '+86 138-0013-8000{Enter}');
  await waitFor(() => expect(params()).toEqual({ contact: ZHANG.id }));
  await user.type(box(), '“上周” “张三”{Enter}');
  expect(params()).toEqual({ q: '“上周” “张三”', contact: ZHANG.id });
});

test('searches for words as text when the contacts cannot be loaded', async () => {
  const { params, user } = open('', {
    'POST /api/contacts/search': () => {
      throw failure(503, 'unavailable', '服务暂时不可用');
    },
  });
  await user.type(box(), '张三 昨天{Enter}');
  const { from, to } = presetRange('yesterday', TODAY);
  expect(params()).toEqual({ q: '张三', from, to });
});

test('chooses and removes a contact by keyboard', async () => {
  const { params, user } = open('?q=退款');
  await user.click(screen.getByRole('button', { name: '联系人' }));
  const dialog = screen.getByRole('dialog', { name: '选择联系人' });
  expect(within(dialog).getByRole('combobox')).toHaveFocus();
  await within(dialog).findByRole('option', { name: '张三 138 0013 8000' });
  expect(
    within(dialog)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['全部联系人', '本人', '张三138 0013 8000', 'dev@northwind.cn', '李敏a-1', '李敏a-2']);

  await user.type(within(dialog).getByRole('combobox'), 'north');
  await waitFor(() => expect(within(dialog).getAllByRole('option')).toHaveLength(1));
  await user.keyboard('{Enter}');

  expect(params()).toEqual({ q: '退款', contact: 'dev@northwind.cn' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(screen.getByRole('button', { name: 'dev@northwind.cn' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: '去掉联系人条件' }));
  expect(params()).toEqual({ q: '退款' });
  expect(screen.getByRole('button', { name: '联系人' })).toHaveFocus();
});

test('oneself can be chosen as contact', async () => {
  const { seen, user } = open();
  await user.click(screen.getByRole('button', { name: '联系人' }));
  await user.keyboard('{ArrowDown}');
  await waitFor(() =>
    expect(screen.getByRole('option', { name: '本人' })).toHaveAttribute('aria-selected', 'true'),
  );
  await screen.findByRole('option', { name: 'dev@northwind.cn' });
  await user.keyboard('{Enter}');
  expect(seen.search + seen.hash).toBe('#contact=');
  expect(screen.getByRole('button', { name: '本人' })).toBeVisible();
});

test('accepts typed dates and explains what is wrong', async () => {
  const { params, user } = open();
  await user.click(screen.getByRole('button', { name: '日期' }));
  await user.type(screen.getByRole('textbox', { name: '从' }), '2026-07-32');
  await user.click(screen.getByRole('button', { name: '应用' }));
  expect(screen.getByRole('alert')).toHaveTextContent('请写成 2026-07-01 的格式');
  await user.clear(screen.getByRole('textbox', { name: '从' }));
  await user.type(screen.getByRole('textbox', { name: '从' }), '2026/7/9');
  await user.type(screen.getByRole('textbox', { name: '至' }), '20260701{Enter}');
  expect(screen.getByRole('alert')).toHaveTextContent('结束日期早于开始日期');
  await user.clear(screen.getByRole('textbox', { name: '至' }));
  await user.type(screen.getByRole('textbox', { name: '至' }), '2026年7月15日{Enter}');
  expect(params()).toEqual({ from: '2026-07-09', to: '2026-07-15' });
});

test('applies a preset immediately', async () => {
  const { params, user } = open();
  await user.click(screen.getByRole('button', { name: '日期' }));
  await user.click(screen.getByRole('button', { name: '近 7 天' }));
  expect(params()).toEqual(presetRange('seven', TODAY));
});

test('chooses two days in the calendar by keyboard', async () => {
  const { params, user } = open('?from=2026-07-08&to=2026-07-08');
  await user.click(screen.getByRole('button', { name: /7 月 8 日$/ }));
  const first = await screen.findByRole('button', { name: /7月8日/ });
  act(() => first.focus());
  await user.keyboard('{ArrowRight}{Enter}{ArrowDown}{Enter}');
  expect(params()).toEqual({ from: '2026-07-09', to: '2026-07-16' });
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the accessible name of a day contains its displayed number', async () => {
  const { user } = open('?from=2026-07-01&to=2026-07-01', {}, 'en');
  await user.click(screen.getByRole('button', { name: /Jul 1$/ }));
  expect(await screen.findByRole('button', { name: 'Wednesday, July 1, 2026, selected' })).toHaveTextContent(
    /^1$/,
  );
  expect(screen.getByRole('button', { name: 'Thursday, July 2, 2026' })).toHaveTextContent(/^2$/);
});

test('source and rating are menus; Escape closes them and restores the focus', async () => {
  const { params, user } = open();
  await user.click(screen.getByRole('button', { name: '来源' }));
  expect(screen.getByRole('menuitemradio', { name: '全部来源' })).toHaveFocus();
  await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
  expect(params()).toEqual({ source: 'curated' });
  const rating = screen.getByRole('button', { name: '评价' });
  await user.click(rating);
  await user.keyboard('{End}');
  expect(screen.getByRole('menuitemradio', { name: '未评价' })).toHaveFocus();
  // Otherwise the key would also close a dialog below.
  expect(fireEvent.keyDown(document.activeElement!, { key: 'Escape' })).toBe(false);
  expect(screen.queryByRole('menu')).toBeNull();
  expect(rating).toHaveFocus();
});

test('clears all filters at once, and the back button restores them', async () => {
  const { params, seen, user } = open(
    '?q=退款&contact=13800138000&source=none&feedback=up&from=2026-07-01&r=7',
  );
  expect(box()).toHaveValue('退款');
  expect(screen.getByRole('button', { name: /7 月 1 日起$/ })).toBeVisible();
  await user.click(screen.getByRole('button', { name: '清除条件' }));
  expect(params()).toEqual({ r: '7' });
  expect(box()).toHaveValue('');
  expect(box()).toHaveFocus();
  act(() => seen.back());
  expect(params()).toMatchObject({ q: '退款', contact: '13800138000' });
  expect(box()).toHaveValue('退款');
  expect(await screen.findByRole('button', { name: '张三 138 0013 8000' })).toBeVisible();
});

test('ignores invalid values in the address', () => {
  open('?source=magic&feedback=maybe&from=2026-02-30&to=yesterday');
  expect(screen.queryByRole('button', { name: '清除条件' })).toBeNull();
});

test('is translated to English', async () => {
  const { user } = open('?from=2026-07-01&to=2026-07-15', {}, 'en');
  expect(screen.getByRole('button', { name: /^Jul 1–15(, 2026)?$/ })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Source' }));
  expect(screen.getByRole('menuitemradio', { name: 'Curated' })).toBeVisible();
});
