import { expect, test } from '@jest/globals';
import { screen, within } from '@testing-library/react';
import { openChat, sentQuestions } from '../testing/open-chat.tsx';

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

test('what is set in another language leaves the product’s own texts', async () => {
  const { calls } = await openChat({ desk: { en: { greeting: 'Hello', starters: ['How?'] } } });
  expect(screen.getByText('请输入以咨询问题')).toBeVisible();
  expect(calls.map(({ url }) => url)).toContain('/api/starters');
});
