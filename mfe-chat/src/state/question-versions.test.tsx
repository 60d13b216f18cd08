import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { failure } from 'host/stand-ins';
import { createEventSource } from '../testing/event-source.ts';
import { articles, openChat, sentQuestions, settle } from '../testing/open-chat.tsx';
import { DONE, RECORD, record } from '../testing/samples.ts';

const at = (minute: number) => `2026-11-21T01:${String(minute).padStart(2, '0')}:00.000Z`;
const ofFirst = (number: number) => ({ recordId: 'r1', createdAt: at(1), number });

/** Newest first: the first question has three versions, the second one was asked between them. */
const RECORDS = [
  record('r4', { question: '第三版', answer: '三', createdAt: at(4), versionOf: ofFirst(3) }),
  record('r3', { question: '第二版', answer: '二', createdAt: at(3), versionOf: ofFirst(2) }),
  record('r2', { question: '另一个问题', createdAt: at(2) }),
  record('r1', { question: '第一版', answer: '一', createdAt: at(1) }),
];

const texts = () => articles().map(({ textContent }) => textContent);
const press = (name: string) => screen.getAllByRole('button', { name })[0]!;

test('shows the newest version at the place of the first, and the others on request', async () => {
  const { user } = await openChat({ path: '/index?c=c1', records: RECORDS });
  expect(articles()).toHaveLength(4);
  expect(texts()[0]).toContain('第三版');
  expect(texts()[2]).toContain('另一个问题');
  expect(screen.getByText('第 3 版，共 3 版')).toBeInTheDocument();
  expect(press('下一版')).toHaveAttribute('aria-disabled', 'true');

  await user.click(press('上一版'));
  await user.click(press('上一版'));
  expect(texts()[0]).toContain('第一版');
  expect(texts()[1]).toContain('一');
  await user.click(press('下一版'));
  expect(texts()[1]).toContain('二');
});

test('a link to an older version shows it', async () => {
  await openChat({ path: '/index?c=c1&r=r3', records: RECORDS });
  expect(texts()[0]).toContain('第二版');
  expect(articles()[0]).toHaveAttribute('aria-current', 'true');
});

test('versions stay together across pages, also if the first one was deleted', async () => {
  const between = Array.from({ length: 30 }, (_, n) =>
    record(`b${n}`, { question: `问题 ${30 - n}`, createdAt: at(40 - n) }),
  );
  const newest = record('r5', { question: '改过的问题', createdAt: at(50), versionOf: ofFirst(4) });
  const { container } = await openChat({
    path: '/index?c=c1&r=b29',
    records: [newest, ...between, RECORDS[1]!, RECORDS[2]!],
  });
  expect(container).toBeTruthy();
  expect(texts()[0]).toContain('改过的问题');
  expect(screen.getByText('第 2 版，共 2 版')).toBeInTheDocument();
  expect(texts()[2]).toContain('另一个问题');
});

test('an edited question is asked in its place and keeps the previous version', async () => {
  const { user, calls, streams, isHeld$ } = await openChat({
    path: '/index?c=c1',
    records: RECORDS.slice(2),
  });
  expect(isHeld$.value).toBe(false);
  await user.click(press('修改问题'));
  expect(isHeld$.value).toBe(true);
  const editor = screen.getByRole('textbox', { name: '修改问题' });
  expect(editor).toHaveFocus();
  expect(editor).toHaveValue('第一版');
  await user.clear(editor);
  await user.type(editor, '改好的问题{Enter}');
  await settle();

  expect(sentQuestions(calls)).toMatchObject([{ text: '改好的问题', versionOf: 'r1', conversationId: 'c1' }]);
  streams[0]!.send('record', { ...RECORD, recordId: 'r9' }, 0);
  streams[0]!.send('done', { ...DONE, recordId: 'r9', response: '更好的回答' }, 5);
  await settle();
  expect(texts()[0]).toContain('改好的问题');
  expect(texts()[1]).toContain('更好的回答');
  expect(texts()[2]).toContain('另一个问题');
  expect(press('修改问题')).toHaveFocus();
  await user.click(press('上一版'));
  expect(texts()[1]).toContain('一');
});

test('keeps the text of an edit that the server rejects, also over a reload', async () => {
  const kept = new Map<string, string>();
  const { user, toasts, unmount } = await openChat({
    path: '/index?c=c1',
    records: RECORDS.slice(2),
    kept,
    answers: {
      'POST /api/chat': () => {
        throw failure(429, 'rate_limited', '提问太快');
      },
    },
  });
  await user.click(press('修改问题'));
  await user.type(screen.getByRole('textbox', { name: '修改问题' }), '，改{Enter}');
  await settle();
  expect(screen.getByRole('textbox', { name: '修改问题' })).toHaveValue('第一版，改');
  expect(toasts).toMatchObject([{ kind: 'error', text: '提问太快' }]);
  expect(texts()[1]).toContain('一');
  unmount();

  const again = await openChat({ path: '/index?c=c1', records: RECORDS.slice(2), kept });
  expect(screen.getByRole('textbox', { name: '修改问题' })).toHaveValue('第一版，改');
  await again.user.type(screen.getByRole('textbox', { name: '修改问题' }), '{Escape}');
  await settle();
  expect(screen.queryByRole('textbox', { name: '修改问题' })).toBeNull();
  expect(press('修改问题')).toHaveFocus();
});

test('a question is answered again as a version, and neither asked nor switched meanwhile', async () => {
  const running = createEventSource();
  const { user, calls } = await openChat({
    path: '/index?c=c1',
    records: RECORDS.slice(3),
    answers: { 'POST /api/chat': () => running.stream },
  });
  await user.click(press('重新回答'));
  running.send('record', { ...RECORD, recordId: 'r9' }, 0);
  running.send('delta', { text: '新' }, 1);
  await settle();
  expect(press('上一版')).toHaveAttribute('aria-disabled', 'true');
  await user.click(press('修改问题'));
  expect(press('重新提问')).toHaveAttribute('aria-disabled', 'true');
  await user.click(press('取消'));
  await settle();
  running.send('done', { ...DONE, recordId: 'r9', response: '新的' }, 2);
  await settle();

  expect(sentQuestions(calls)).toMatchObject([{ text: '第一版', versionOf: 'r1' }]);
  expect(within(articles()[0]!).getByText('第 2 版，共 2 版')).toBeInTheDocument();
  await user.click(press('上一版'));
  expect(texts()[1]).toContain('一');
});
