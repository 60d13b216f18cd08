import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { field, openChat, sentQuestions } from '../testing/open-chat.tsx';

test('greets and suggests as administrators have set, without asking the server for questions', async () => {
  const { calls, user } = await openChat({
    desk: {
      zh: {
        greeting: '您好，这里是客服',
        starters: ['怎样退货？', '<b>多久</b>到账？'],
        contact: '电话 400\n微信 acme',
      },
    },
  });
  expect(screen.getByText('您好，这里是客服')).toBeVisible();
  expect(screen.getByText(/电话 400/)).toBeVisible();
  const starters = within(screen.getByRole('region', { name: '可以这样问' })).getAllByRole('button');
  expect(starters.map((one) => one.textContent)).toEqual(['怎样退货？', '<b>多久</b>到账？']);
  await user.click(starters[0]!);
  expect(sentQuestions(calls)).toMatchObject([{ text: '怎样退货？' }]);
  expect(calls.map(({ url }) => url)).not.toContain('/api/starters');
});

test('uses the default texts if texts are set in another language only', async () => {
  const { calls } = await openChat({ desk: { en: { greeting: 'Hello', starters: ['How?'] } } });
  expect(screen.getByText('请输入以咨询问题')).toBeVisible();
  expect(calls.map(({ url }) => url)).toContain('/api/starters');
});

const access = (firstSteps?: object) => ({
  'GET /api/settings/access': () => ({
    isAdministrator: firstSteps !== undefined,
    ...(firstSteps ? { firstSteps } : {}),
  }),
});
const signedIn = { username: 'lin', token: 'token' };
const card = () => screen.queryByRole('region', { name: '三步开始使用' });

test('leads the administrator of a new desk through three steps, ticked when their results exist', async () => {
  const kept = new Map<string, string>();
  const answers = access({ document: true, question: false, named: false });
  const { user, unmount } = await openChat({ ...signedIn, kept, answers });
  const steps = within(card()!).getAllByRole('listitem');
  expect(card()).toHaveTextContent('lin 是这个咨询台的管理员');
  expect(steps.map((step) => /已完成|未完成/.exec(step.textContent!)?.[0])).toEqual([
    '已完成',
    '未完成',
    '未完成',
  ]);
  expect(within(card()!).getByRole('link', { name: /上传一份资料/ })).toHaveAttribute('href', '/knowledge');
  expect(within(card()!).getByRole('link', { name: /设好名称和服务时间/ })).toHaveAttribute(
    'href',
    '/settings',
  );
  await user.click(within(card()!).getByRole('button', { name: /问一个资料里的问题/ }));
  expect(field()).toHaveFocus();
  await user.click(within(card()!).getByRole('button', { name: '不再显示' }));
  expect(card()).toBeNull();
  expect(field()).toHaveFocus();
  unmount();

  const again = await openChat({ ...signedIn, kept, answers });
  expect(card()).toBeNull();
  expect(again.calls.map(({ url }) => url)).not.toContain('/api/settings/access');
});

test.each([
  ['an account that is no administrator', { ...signedIn, answers: access() }],
  [
    'a desk that is set up',
    { ...signedIn, answers: access({ document: true, question: true, named: true }) },
  ],
  ['a guest', {}],
])('shows no first steps to %s', async (_who, setting) => {
  const { calls } = await openChat(setting);
  expect(card()).toBeNull();
  if (!('username' in setting)) expect(calls.map(({ url }) => url)).not.toContain('/api/settings/access');
});
