import { expect, test } from '@jest/globals';
import { screen, waitFor, within } from '@testing-library/react';
import { openKnowledge } from '../testing/open-knowledge.tsx';
import { sampleDocument, sampleKnowledge } from '../testing/sample-knowledge.ts';

const staff = {
  id: 'd'.repeat(24),
  name: '员工手册',
  access: 'some' as const,
  mayEdit: true,
  documents: 1,
  pairs: 0,
};

function withCollections() {
  const knowledge = sampleKnowledge();
  knowledge.collections = [staff, { ...staff, id: 'e'.repeat(24), name: '别人的', mayEdit: false }];
  knowledge.documents = [
    sampleDocument(),
    sampleDocument({ id: 'd-2', title: '薪酬', collectionId: staff.id }),
  ];
  return openKnowledge({ knowledge });
}
const documents = () => screen.findByRole('region', { name: '资料' });

test('shows the collection of a document, lists one alone, and adds files to it', async () => {
  const { user, callsTo } = withCollections();
  expect(await within(await documents()).findByRole('row', { name: /薪酬 ?员工手册/ })).toBeVisible();
  // Some collections do not answer everyone.
  expect(screen.queryByText(/^用来回答所有/)).toBeNull();
  await user.selectOptions(await screen.findByLabelText('知识集'), '员工手册');
  await waitFor(async () => expect(within(await documents()).queryByText(/企业退款政策/)).toBeNull());
  expect(screen.getByText(/只有指定的人能读 · 新增的内容归入/)).toBeVisible();
  // Documents added to this collection are not for everyone.
  expect(screen.queryByText(/只给内部看的文件请不要上传/)).toBeNull();
  const [input] = document.querySelectorAll<HTMLInputElement>('input[type=file]');
  await user.upload(input!, new File(['x'], 'new.txt'));
  await waitFor(() => expect(callsTo('POST', '/api/knowledge/documents')).toHaveLength(1));
  const [upload] = callsTo('POST', '/api/knowledge/documents');
  expect((upload!.body as FormData).get('collection')).toBe(staff.id);
});

test('the archive is that of the chosen collection', async () => {
  const { user, callsTo } = withCollections();
  await user.selectOptions(await screen.findByLabelText('知识集'), '员工手册');
  await user.click(await screen.findByRole('button', { name: '更多' }));
  await user.click(await screen.findByRole('menuitem', { name: '导出「员工手册」' }));
  await waitFor(() => expect(callsTo('GET', `/api/knowledge/export?collection=${staff.id}`)).toHaveLength(1));
});

test('an answer to a question goes into one of the collections that its askers read', async () => {
  const knowledge = sampleKnowledge({ isEditor: true });
  knowledge.collections = [staff];
  knowledge.unanswered = [{ ...knowledge.unanswered[0]!, collections: [staff.id, 'everyone'] }];
  const { user, callsTo } = openKnowledge({ knowledge });
  const inbox = within(await screen.findByRole('complementary', { name: '未答' }));
  await user.click(await inbox.findByRole('button', { name: /^写答案/ }));
  const choice = inbox.getByLabelText('知识集');
  expect(
    within(choice)
      .getAllByRole('option')
      .map(({ textContent }) => textContent),
  ).toEqual(['员工手册', '所有人']);
  await user.type(inbox.getByRole('textbox', { name: '答案' }), '不能。');
  await user.click(inbox.getByRole('button', { name: '存为问答' }));
  const { id } = knowledge.unanswered[0]!;
  await waitFor(() => expect(callsTo('POST', `/api/knowledge/unanswered/${id}/answer`)).toHaveLength(1));
  expect(callsTo('POST', `/api/knowledge/unanswered/${id}/answer`)[0]?.body).toMatchObject({
    answer: '不能。',
    collectionId: staff.id,
  });
  expect(callsTo('POST', '/api/knowledge/check')[0]?.body).toMatchObject({
    pair: { collectionId: staff.id },
  });
});

test('moves a document', async () => {
  const { user, callsTo } = withCollections();
  const row = await within(await documents()).findByRole('row', { name: /企业退款政策/ });
  await user.click(within(row).getByRole('button', { name: /^更多：/ }));
  await user.click(await screen.findByRole('menuitem', { name: '移到知识集…' }));
  const dialog = within(await screen.findByRole('dialog', { name: /^移动/ }));
  expect(dialog.getAllByRole('option').map(({ textContent }) => textContent)).not.toContain('别人的');
  await user.selectOptions(dialog.getByLabelText('知识集'), '员工手册');
  await user.click(dialog.getByRole('button', { name: '移动' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(callsTo('PATCH', '/api/knowledge/documents/d-1')[0]?.body).toEqual({ collectionId: staff.id });
});

test('an administrator adds a collection, and tries a question as a group', async () => {
  const { user, callsTo } = openKnowledge();
  expect(await screen.findByText(/^用来回答所有/)).toBeVisible();
  const openMenu = async () => user.click(await screen.findByRole('button', { name: '更多' }));
  await documents();
  await waitFor(() => expect(callsTo('GET', '/api/knowledge/collections')).not.toHaveLength(0));
  await openMenu();
  await user.click(await screen.findByRole('menuitem', { name: '知识集' }));
  await user.click(await screen.findByRole('button', { name: '新知识集' }));
  await user.click(await screen.findByRole('button', { name: '保存' }));
  expect(await screen.findByText('请填写名称')).toBeVisible();
  await user.type(screen.getByLabelText('名称'), '内部');
  const readers = within(screen.getByRole('group', { name: '读者' }));
  await user.click(readers.getByRole('checkbox', { name: '人事部' }));
  await user.click(screen.getByRole('button', { name: '保存' }));
  expect(await screen.findByText('内部', { selector: 'b' })).toBeVisible();
  expect(callsTo('POST', '/api/knowledge/collections')[0]?.body).toEqual({
    name: '内部',
    access: 'some',
    readers: { groups: ['a'.repeat(24)], people: [] },
    editors: { groups: [], people: [] },
  });
  await user.click(screen.getByRole('button', { name: '关闭' }));
  await openMenu();
  await user.click(await screen.findByRole('menuitem', { name: '试问一个问题' }));
  await user.selectOptions(await screen.findByLabelText('以谁的身份'), '人事部 的成员');
  await user.type(screen.getByLabelText('问题'), '怎么退款？');
  await user.click(screen.getByRole('button', { name: '试问' }));
  await waitFor(() =>
    expect(callsTo('POST', '/api/knowledge/try')[0]?.body).toEqual({
      text: '怎么退款？',
      as: 'a'.repeat(24),
    }),
  );
});

test('the editor of one collection can add to it and change only its contents', async () => {
  const knowledge = sampleKnowledge({ isEditor: false });
  knowledge.collections = [staff];
  knowledge.documents = [
    sampleDocument(),
    sampleDocument({ id: 'd-2', title: '薪酬', collectionId: staff.id }),
  ];
  const { user, callsTo } = openKnowledge({ knowledge });
  const rows = within(await documents());
  await user.click(await rows.findByRole('button', { name: '更多：薪酬' }));
  expect(await screen.findByRole('menuitem', { name: '删除' })).toBeVisible();
  await user.keyboard('{Escape}');
  expect(rows.queryByRole('button', { name: '更多：企业退款政策' })).toBeNull();
  await user.click(await screen.findByRole('button', { name: '更多' }));
  expect(screen.queryByRole('menuitem', { name: '同义词' })).toBeNull();
  expect(screen.getByRole('menuitem', { name: '导出「员工手册」' })).toBeVisible();
  await user.keyboard('{Escape}');
  const [input] = document.querySelectorAll<HTMLInputElement>('input[type=file]');
  await user.upload(input!, new File(['x'], 'new.txt'));
  await waitFor(() => expect(callsTo('POST', '/api/knowledge/documents')).toHaveLength(1));
  const [upload] = callsTo('POST', '/api/knowledge/documents');
  expect((upload!.body as FormData).get('collection')).toBe(staff.id);
});
