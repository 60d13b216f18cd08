import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { KnowledgeCheck } from 'api/contract/knowledge';
import type { SynonymChange } from 'api/contract/synonyms';
import { failure } from 'host/stand-ins';
import { openKnowledge } from '../testing/open-knowledge.tsx';

const check: KnowledgeCheck = {
  checked: 2,
  isPartial: false,
  changed: [],
  golden: [],
  goldenChecked: 0,
  unanswered: [
    {
      question: '通勤大巴几点发？',
      before: { outcome: 'nothing', cited: [] },
      after: { outcome: 'answered', cited: ['班车时刻'] },
    },
  ],
};

function openSynonyms(
  put: (body: SynonymChange) => object = (body) => ({ ...body, revision: body.revision + 1 }),
) {
  return openKnowledge({
    path: '/knowledge?v=synonyms',
    first({ method, url, body }) {
      if (url === '/api/knowledge/check') return check;
      if (url !== '/api/knowledge/synonyms') return undefined;
      return method === 'GET' ? { revision: 3, groups: [['工资', 'salary']] } : put(body as SynonymChange);
    },
  });
}

const section = async () => within(await screen.findByRole('region', { name: '同义词' }));

test('a change is previewed and saved, with words separated in any way', async () => {
  const { user, callsTo, toasts } = openSynonyms();
  const shown = await section();
  const field = await shown.findByLabelText('一行一组');
  expect(field).toHaveValue('工资, salary');
  expect(shown.getByRole('button', { name: '保存' })).toHaveAttribute('aria-disabled', 'true');
  await user.type(field, '{enter}班车，通勤大巴;shuttle bus{enter}');
  const groups = [
    ['工资', 'salary'],
    ['班车', '通勤大巴', 'shuttle bus'],
  ];

  await user.click(shown.getByRole('button', { name: '看看会改变什么' }));
  expect(await shown.findByRole('region', { name: '有 1 个未答的问题会有不同的结果' })).toHaveTextContent(
    '通勤大巴几点发？之前：没有找到→现在：有答案班车时刻',
  );
  expect(callsTo('POST', '/api/knowledge/check')[0]?.body).toEqual({ kind: 'put_synonyms', groups });
  // What other synonyms would change is unknown.
  await user.type(field, '!');
  expect(shown.queryByRole('region', { name: /未答的问题/ })).toBeNull();
  await user.type(field, '{backspace}');

  await user.click(shown.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(toasts.at(-1)?.text).toBe('已保存，马上生效'));
  expect(callsTo('PUT', '/api/knowledge/synonyms')[0]?.body).toEqual({ revision: 3, groups });
  expect(await (await section()).findByText('2 组')).toBeVisible();
});

test('what is typed while the synonyms are saved stays, and can be saved', async () => {
  const held = Promise.withResolvers<void>();
  const { user, callsTo, toasts } = openSynonyms(async (body) => {
    await held.promise;
    return { ...body, revision: body.revision + 1 };
  });
  const shown = await section();
  const field = await shown.findByLabelText('一行一组');
  await user.type(field, '{enter}班车, 大巴');
  await user.click(shown.getByRole('button', { name: '保存' }));
  await user.type(field, '{enter}请假, 休假');
  held.resolve();
  await waitFor(() => expect(toasts).toHaveLength(1));
  expect(shown.getByLabelText('一行一组')).toHaveValue('工资, salary\n班车, 大巴\n请假, 休假');
  await user.click(shown.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(toasts).toHaveLength(2));
  expect(callsTo('PUT', '/api/knowledge/synonyms').at(-1)?.body).toMatchObject({ revision: 4 });
  expect(shown.getByRole('button', { name: '保存' })).toHaveAttribute('aria-disabled', 'true');
});

test('what was typed stays if another editor was first', async () => {
  const { user } = openSynonyms(() => {
    throw failure(409, 'conflict', '冲突');
  });
  const shown = await section();
  await user.type(await shown.findByLabelText('一行一组'), '{enter}班车，大巴');
  await user.click(shown.getByRole('button', { name: '保存' }));
  expect(await shown.findByRole('alert')).toHaveTextContent('别的编辑者刚改过同义词');
  expect(shown.getByLabelText('一行一组')).toHaveValue('工资, salary\n班车，大巴');
});
