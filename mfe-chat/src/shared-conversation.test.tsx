import { beforeAll, expect, jest, test } from '@jest/globals';
import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { SharedConversation, SharedRequest } from 'api/contract/sharing';
import { type Answer, createStandInServices, failure } from 'host/stand-ins';
import { MemoryRouter } from 'react-router';
import { markdown } from './conversation/markdown-text.tsx';
import SharedScreen from './shared-conversation.tsx';
import './testing/jsdom-gaps.ts';
import { settle } from './testing/open-chat.tsx';
import { SHARED, SHARED_TOKEN } from './testing/stand-in-samples.ts';

beforeAll(async () => void (await markdown.load()));

const GONE = failure(404, 'not_found', '这个链接不再可用');

async function open(answers: Answer, hash = `#${SHARED_TOKEN}`) {
  const standIns = createStandInServices({ answers });
  render(
    <MemoryRouter initialEntries={[`/shared${hash}`]}>
      <SharedScreen services={standIns.services} language="zh" controls={null} />
    </MemoryRouter>,
  );
  await settle();
  return { ...standIns, user: userEvent.setup() };
}

test('shows questions, answers with Markdown, and quotes; the token is only in the body', async () => {
  const { calls } = await open(() => SHARED);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('企业订单退款到账时间');
  expect(screen.getByText(/内容截至 2026年11月21日。/)).toBeInTheDocument();
  expect(screen.getByText('订单退款什么时候能到账？')).toBeInTheDocument();
  expect(screen.getAllByRole('list', { name: '引用' })[0]).toHaveTextContent('没有分享的文件');
  expect(screen.getByText(/重新回答过/)).toBeInTheDocument();
  expect(screen.getByText('2 个文件没有分享')).toBeInTheDocument();
  expect(screen.getByText('（只发送了文件）')).toBeInTheDocument();
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(calls).toMatchObject([{ url: '/api/shared', body: { token: SHARED_TOKEN, from: 0 } }]);
  expect(calls.every(({ url }) => !url.includes(SHARED_TOKEN))).toBe(true);
});

test('loads further pages by a button', async () => {
  const page = (question: string, next: number | null): SharedConversation => ({
    ...SHARED,
    records: [{ ...SHARED.records[0]!, question }],
    next,
  });
  const { user } = await open(({ body }) =>
    (body as SharedRequest).from === 50 ? page('第二页', null) : page('第一页', 50),
  );
  await user.click(screen.getByRole('button', { name: '显示更多' }));
  await settle();
  expect(screen.getByText('第一页')).toBeInTheDocument();
  expect(screen.getByText('第二页')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: '显示更多' })).toBeNull();
});

test('downloads a shared file with the token', async () => {
  const saved = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined);
  const { user, calls } = await open(({ url }) => (url.endsWith('/file') ? new Blob(['x']) : SHARED));
  await user.click(screen.getByRole('button', { name: '下载 签收单.png' }));
  await settle();
  expect(saved).toHaveBeenCalledTimes(1);
  expect(calls.at(-1)).toMatchObject({
    url: '/api/shared/file',
    body: { token: SHARED_TOKEN, file: '0-0' },
  });
  saved.mockRestore();
});

test.each([[`#${SHARED_TOKEN}`], ['#short'], ['']])(
  'says that the link is not available: %s',
  async (hash) => {
    await open(() => {
      throw GONE;
    }, hash);
    expect(screen.getByRole('alert')).toHaveTextContent('这个链接不再可用');
    expect(screen.getByRole('link', { name: '去咨询台' })).toHaveAttribute('href', '/index');
  },
);

test('hides everything when the page becomes visible and the link has been revoked', async () => {
  let isRevoked = false;
  await open(() => {
    if (isRevoked) throw GONE;
    return SHARED;
  });
  isRevoked = true;
  await act(async () => void window.dispatchEvent(new Event('focus')));
  await settle();
  expect(screen.getByRole('alert')).toHaveTextContent('这个链接不再可用');
  expect(screen.queryByText('订单退款什么时候能到账？')).toBeNull();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('分享的会话');
});

test('tries again after a failure', async () => {
  let isDown = true;
  const { user } = await open(() => {
    if (isDown) throw failure(0, 'offline', '网络不通');
    return SHARED;
  });
  expect(screen.getByRole('alert')).toHaveTextContent('网络不通');
  isDown = false;
  await user.click(screen.getByRole('button', { name: '重试' }));
  await settle();
  expect(screen.getByText('订单退款什么时候能到账？')).toBeInTheDocument();
});
