import { expect, test } from '@jest/globals';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { KnowledgeCheck } from 'api/contract/knowledge';
import { openKnowledge } from '../../testing/open-knowledge.tsx';
import { sampleDocument, sampleKnowledge } from '../../testing/sample-knowledge.ts';

test('a draft is checked and tried before it is published', async () => {
  let checking: Promise<void> | undefined;
  const draft = sampleDocument({ id: 'd-draft', title: '新版退款政策', isDraft: true });
  const knowledge = sampleKnowledge();
  const check: KnowledgeCheck = {
    checked: 3,
    isPartial: false,
    changed: [],
    goldenChecked: 1,
    golden: [
      {
        question: '退款几天到账？',
        before: { outcome: 'nothing', cited: [], passes: false },
        after: { outcome: 'answered', cited: ['新版退款政策'], passes: true },
      },
    ],
  };
  const { user, callsTo, toasts } = openKnowledge({
    knowledge: { ...knowledge, documents: [draft, ...knowledge.documents] },
    first({ url }) {
      if (url === '/api/knowledge/check') return checking ? checking.then(() => check) : check;
      return url.endsWith('/publish') ? { document: draft } : undefined;
    },
  });
  const row = await screen.findByRole('row', { name: /新版退款政策.*草稿/ });
  const publish = async () => {
    await user.click(within(row).getByRole('button', { name: '更多：新版退款政策' }));
    await user.click(screen.getByRole('menuitem', { name: '检验并发布' }));
    return within(await screen.findByRole('dialog', { name: '检验并发布' }));
  };

  const first = await publish();
  expect(await first.findByRole('region', { name: '有 1 个检验问题的结果会改变' })).toHaveTextContent('变好');
  expect(callsTo('POST', '/api/knowledge/check')[0]?.body).toEqual({
    kind: 'publish_document',
    id: 'd-draft',
  });
  await user.click(first.getByRole('button', { name: '用它试问' }));
  const trial = within(await screen.findByRole('dialog', { name: '试问一个问题' }));
  await user.type(trial.getByLabelText('问题'), '几天到账{Enter}');
  await waitFor(() =>
    expect(callsTo('POST', '/api/knowledge/try')[0]?.body).toMatchObject({ draftId: 'd-draft' }),
  );
  await user.click(trial.getAllByRole('button', { name: '关闭' })[0]!);

  const held = Promise.withResolvers<void>();
  checking = held.promise;
  const second = await publish();
  await user.click(second.getByRole('button', { name: '发布' }));
  held.resolve();
  await second.findByRole('region', { name: '有 1 个检验问题的结果会改变' });
  expect(callsTo('POST', '/api/knowledge/documents/d-draft/publish')).toEqual([]);
  await user.click(second.getByRole('button', { name: '发布' }));
  await waitFor(() => expect(toasts.at(-1)?.text).toBe('开始发布“新版退款政策”'));
  expect(callsTo('POST', '/api/knowledge/documents/d-draft/publish')).toHaveLength(1);
});

test('a draft that cannot be read yet cannot be published', async () => {
  const knowledge = sampleKnowledge();
  knowledge.documents = [sampleDocument({ title: '新版', isDraft: true, status: 'indexing', progress: 0.5 })];
  const { user } = openKnowledge({ knowledge });
  await user.click(await screen.findByRole('button', { name: '更多：新版' }));
  expect(screen.getByRole('menuitem', { name: '删除' })).toBeVisible();
  expect(screen.queryByRole('menuitem', { name: '检验并发布' })).toBeNull();
});

test('files are uploaded as drafts from the menu', async () => {
  const { callsTo } = openKnowledge();
  const input = await screen.findByLabelText('上传草稿…', { selector: 'input' });
  fireEvent.change(input, { target: { files: [new File(['x'], '草稿.md')] } });
  await waitFor(() => expect(callsTo('POST', '/api/knowledge/documents')).toHaveLength(1));
  expect((callsTo('POST', '/api/knowledge/documents')[0]?.body as FormData | undefined)?.get('draft')).toBe(
    '1',
  );
});
