import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import type { GoldenList, GoldenQuestion } from 'api/contract/golden';
import type { GoldenResult, KnowledgeCheck } from 'api/contract/knowledge';
import { openKnowledge } from '../../testing/open-knowledge.tsx';
import { sampleKnowledge } from '../../testing/sample-knowledge.ts';

const expected = { outcome: 'answered', cites: '退款政策', contains: '' } as const;
const passing: GoldenResult = { outcome: 'answered', cited: ['退款政策'], passes: true };
const failing: GoldenResult = { outcome: 'nothing', cited: [], passes: false };
const golden: GoldenQuestion[] = [
  { id: 'g-1', question: '退款几天到账？', expected, result: passing, before: passing },
  { id: 'g-2', question: '定制商品能退吗？', expected, result: failing, before: passing },
  {
    id: 'g-3',
    question: '老板的电话？',
    expected: { outcome: 'refused', cites: '', contains: '' },
    result: null,
    before: null,
  },
];

/** /knowledge with golden questions; `list` can be changed. */
function openGolden(path = '/knowledge?v=golden', knowledge = sampleKnowledge()) {
  const list: GoldenList = { golden: [...golden], ranAt: null, isRunning: false };
  const opened = openKnowledge({
    path,
    knowledge,
    first({ method, url, body }) {
      if (url === '/api/knowledge/golden/rated')
        return { rated: [{ question: '退款政策是什么？', expected }] };
      if (url === '/api/knowledge/golden/import') return { added: 2, changed: 1, refused: [4] };
      if (url === '/api/knowledge/golden/run') {
        list.golden = list.golden.map((one) => ({ ...one, before: one.result, result: passing }));
        return list;
      }
      if (!url.startsWith('/api/knowledge/golden')) return undefined;
      if (method === 'GET') return { ...list };
      const one = {
        id: `g-${list.golden.length + 1}`,
        result: null,
        before: null,
        ...(body as object),
      } as GoldenQuestion;
      if (method === 'POST') list.golden = [one, ...list.golden];
      return { golden: one };
    },
  });
  return { ...opened, list };
}

const section = () => screen.findByRole('region', { name: '检验问题' });

test('questions that got worse come first, with the result before and now', async () => {
  openGolden();
  const rows = await within(await section()).findAllByRole('listitem');

  expect(rows.map((row) => row.querySelector('b')?.textContent)).toEqual([
    '定制商品能退吗？',
    '老板的电话？',
    '退款几天到账？',
  ]);
  expect(rows[0]).toHaveTextContent('应引用：退款政策变差之前：有答案退款政策→现在：没有找到');
  expect(rows[1]).toHaveTextContent('还没检验老板的电话？不应回答');
  expect(rows[2]).toHaveTextContent('符合预期退款几天到账？');
  expect(await section()).toHaveTextContent('3 个，1 个不合预期');
});

test('they are run on demand, and the results are compared', async () => {
  const { user } = openGolden();
  await user.click(await screen.findByRole('button', { name: '现在检验' }));

  expect(await screen.findByText('变好')).toBeVisible();
  expect(await section()).not.toHaveTextContent('不合预期');
});

test('a question is added by hand, from a helpful answer, and from a table', async () => {
  const { user, callsTo, toasts } = openGolden();
  await user.click(await screen.findByRole('button', { name: '新建检验问题' }));
  const fresh = within(await screen.findByRole('dialog', { name: '新建检验问题' }));
  expect(fresh.getByLabelText('问题')).toHaveFocus();
  await user.click(fresh.getByRole('button', { name: '保存' }));
  expect(await fresh.findByRole('alert')).toHaveTextContent('请写下问题');
  await user.type(fresh.getByLabelText('问题'), '邮箱多大？');
  await user.click(fresh.getByRole('radio', { name: '不应回答' }));
  await user.click(fresh.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(callsTo('POST', '/api/knowledge/golden')[0]?.body).toMatchObject({
    question: '邮箱多大？',
    expected: { outcome: 'refused' },
  });

  await user.click(screen.getByRole('button', { name: '从有帮助的回答添加' }));
  await user.click(await screen.findByRole('button', { name: '添加：退款政策是什么？' }));
  await waitFor(() => expect(callsTo('POST', '/api/knowledge/golden')).toHaveLength(2));
  await user.click(screen.getAllByRole('button', { name: '关闭' })[0]!);

  const content = 'question,cites\n邮箱多大？,-\n';
  const csv = Object.assign(new File([content], 'golden.csv', { type: 'text/csv' }), {
    text: () => Promise.resolve(content),
  });
  const picker = screen.getByLabelText<HTMLInputElement>('导入 CSV', { selector: 'input' });
  await user.upload(picker, csv);
  await waitFor(() =>
    expect(callsTo('POST', '/api/knowledge/golden/import')[0]?.body).toEqual({ csv: content }),
  );
  await waitFor(() => expect(toasts.at(-1)?.text).toBe('新增 2 个，更新 1 个；第 4 行没能导入'));
  // The same file can be chosen again.
  expect(picker.value).toBe('');
});

test('an unanswered question becomes a golden question with its text', async () => {
  const { user, callsTo } = openGolden('/knowledge');
  await user.click(await screen.findByRole('button', { name: '写答案：定制商品能不能退款？' }));
  await user.click(screen.getByRole('button', { name: '设为检验问题' }));
  const fresh = within(await screen.findByRole('dialog', { name: '新建检验问题' }));
  expect(fresh.getByLabelText('问题')).toHaveValue('定制商品能不能退款？');
  await user.click(fresh.getByRole('button', { name: '保存' }));
  await waitFor(() => expect(callsTo('POST', '/api/knowledge/golden')).toHaveLength(1));
});

test('an answer that makes a golden question worse is only saved after confirmation', async () => {
  const worse = { question: '退款几天到账？', before: passing, after: failing };
  const { user, callsTo } = openKnowledge({
    first: ({ url }) =>
      url === '/api/knowledge/check'
        ? ({
            checked: 1,
            isPartial: false,
            changed: [],
            golden: [worse],
            goldenChecked: 1,
          } satisfies KnowledgeCheck)
        : undefined,
  });
  await user.click(await screen.findByRole('button', { name: '新建问答' }));
  const fresh = within(await screen.findByRole('dialog', { name: '新建问答' }));
  await user.type(fresh.getByLabelText('问题'), '退款');
  await user.type(fresh.getByRole('textbox', { name: '答案' }), '七天');
  await user.click(fresh.getByRole('button', { name: '保存' }));

  expect(await fresh.findByRole('region', { name: '有 1 个检验问题的结果会改变' })).toHaveTextContent('变差');
  expect(callsTo('POST', '/api/knowledge/pairs')).toHaveLength(0);
  await user.click(fresh.getByRole('button', { name: '仍然保存' }));
  await waitFor(() => expect(callsTo('POST', '/api/knowledge/pairs')).toHaveLength(1));
});

test('golden questions of a collection can be listed alone and added; the list names the collection', async () => {
  const knowledge = sampleKnowledge({ isEditor: false });
  const id = 'd'.repeat(24);
  knowledge.collections = [{ id, name: '员工手册', access: 'some', mayEdit: true, documents: 1, pairs: 0 }];
  const { user, list, callsTo } = openGolden('/knowledge?v=golden', knowledge);
  list.golden = [{ ...golden[0]!, collectionId: id }, golden[1]!];
  const region = within(await section());
  expect(await region.findByRole('button', { name: /退款几天到账.*员工手册 · / })).toBeVisible();
  await user.selectOptions(screen.getByLabelText('知识集'), '员工手册');
  await waitFor(() => expect(region.queryByText('定制商品能退吗？')).toBeNull());
  await user.click(region.getByRole('button', { name: '新建检验问题' }));
  await user.type(screen.getByLabelText('问题'), '年假几天？');
  await user.click(screen.getByRole('button', { name: '保存' }));
  await waitFor(() =>
    expect(callsTo('POST', '/api/knowledge/golden')[0]?.body).toMatchObject({ collectionId: id }),
  );
});
