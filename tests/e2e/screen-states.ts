import { expect, type Locator, type Page } from 'playwright/test';
import { addDocument, addPair, whenIndexed } from '../../api/src/testing/knowledge-calls.ts';
import { encryptedPdf, makePdf } from '../../api/src/testing/sample-files.ts';
import { smallPng } from '../../api/src/testing/small-png.ts';
import { createVisitor } from '../../api/src/testing/visitor.ts';
import { askForPerson } from './ask-for-person.ts';
import { EDITOR } from './desk-test.ts';
import { askAs, importRecords } from './records.ts';
import { collectionStates, peopleStates, signInStates } from './rights-states.ts';
import type { ScenarioOptions, Translate } from './scenario.ts';
import { applySession, signedIn } from './visit.ts';

/** More than fit into a window; half of them belong to one contact. */
const RECORDS = 20;

/**
 * All states of the screens. `screens.spec.ts` checks them in a wide window, `screens.long.spec.ts` in every width, theme and language.
 */
export const SCENARIOS: readonly {
  title: string;
  walk: (walk: ScenarioOptions, t: Translate) => Promise<void>;
  expectedErrors?: RegExp;
}[] = [
  { title: 'the screens of a guest', walk: guestScreens },
  { title: 'the screens of an account', walk: accountScreens },
  { title: 'records', walk: recordStates },
  { title: 'the report', walk: reportStates },
  { title: 'contacts', walk: contactStates, expectedErrors: /status of 40[49] .*\/api\/contacts/ },
  { title: 'files', walk: fileStates, expectedErrors: /status of 422 .*\/api\/predict/ },
  { title: 'the knowledge of an editor', walk: knowledgeStates },
  { title: 'the inbox of an editor', walk: inboxStates },
  { title: 'people and the audit log', walk: peopleStates },
  { title: 'collections', walk: collectionStates },
  {
    title: 'sign-in and second factors',
    walk: signInStates,
    expectedErrors: /status of 4(0[134]|10) .*\/(api|admin)\//,
  },
];

export async function runScenario(
  { walk }: (typeof SCENARIOS)[number],
  given: ScenarioOptions,
): Promise<void> {
  await walk(given, (zh, en) => (given.language === 'zh' ? zh : en));
}

async function guestScreens({ page, url, language, check }: ScenarioOptions, t: Translate): Promise<void> {
  await applySession(page, url, createVisitor(url), { language });
  const ready: Record<string, Locator> = {
    login: page.getByRole('form', { name: t('登录', 'Sign In') }),
    register: page.getByRole('form', { name: t('注册', 'Sign Up') }),
    test: page.getByLabel(t('电子邮箱', 'Email')),
    index: page.getByText(t('还没有会话', 'No conversations yet'), { exact: true }),
    history: page.getByRole('heading', { name: t('还没有记录', 'No records yet') }),
    report: page.getByRole('heading', { name: t('还没有可统计的记录', 'Nothing to count yet') }),
    contacts: page.getByRole('heading', { name: t('还没有联系人', 'No contacts yet') }),
  };
  for (const [path, sign] of Object.entries(ready)) {
    await page.goto(`${url}/chatbot/${path}`);
    await expect(path === 'index' && isNarrow(page) ? page.getByRole('log') : sign).toBeVisible();
    await check(page, `${path} of a guest`);
  }
}

async function accountScreens({ page, url, language, check }: ScenarioOptions, t: Translate): Promise<void> {
  // Only the first account may change the knowledge; this one is a reader.
  await signedIn(url, EDITOR);
  const username = `reader-${language}-${page.viewportSize()?.width}`;
  const visitor = await signedIn(url, username);
  const [first] = await askAs(visitor, [{ text: t('怎样删除会话？', 'How do I delete a conversation?') }]);
  const { conversationId = '' } = first ?? {};
  await askAs(visitor, [{ text: t('怎样修改密码？', 'How do I change my password?'), conversationId }]);
  await applySession(page, url, visitor, { username, language });

  await page.goto(`${url}/chatbot/index?c=${conversationId}`);
  const answer = page.getByRole('article', { name: t('咨询台的回答', 'Answer from the desk') }).last();
  const cite = answer.getByRole('button', { name: t('引用 1', 'Source 1') }).first();
  await check(page, 'a conversation');
  await cite.click();
  await expect(page.locator('aside mark, dialog mark').first()).toBeVisible();
  await check(page, 'the source of a citation');
  await page.keyboard.press('Escape');
  await answer.getByRole('button', { name: t('为什么', 'Why'), exact: true }).click();
  await expect(page.getByRole('heading', { name: t('查找了这些词', 'Words searched for') })).toBeVisible();
  await check(page, 'why it was answered so');

  const ready: Record<string, Locator> = {
    history: page
      .getByRole('region', { name: t('记录列表', 'List of records') })
      .getByRole('listitem')
      .last(),
    account: page.getByRole('button', { name: t('在所有设备上退出', 'Sign out everywhere') }),
    knowledge: page.getByRole('row').last(),
    inbox: page.getByRole('heading', { name: t('人工咨询由客服答复', 'Agents answer these requests') }),
    nowhere: page.getByRole('heading', { name: t('没有找到这一页', 'Page not found') }),
  };
  for (const [path, sign] of Object.entries(ready)) {
    await page.goto(`${url}/chatbot/${path}`);
    await expect(sign).toBeVisible();
    await check(page, `${path} of an account`);
  }
}

async function recordStates({ page, url, language, check }: ScenarioOptions, t: Translate): Promise<void> {
  const visitor = createVisitor(url);
  await importRecords(visitor, RECORDS);
  await applySession(page, url, visitor, { language });
  const more = page.getByRole('button', { name: t('更多', 'More'), exact: true });

  await page.goto(`${url}/chatbot/history#q=退款`);
  await page
    .getByRole('checkbox', { name: t(/^选择：/, /^Select: /) })
    .nth(1)
    .click();
  await check(page, 'ticked records');
  await more.click();
  await check(page, 'the menu of the records');

  await page.getByRole('menuitem', { name: t('按联系人删除…', 'Delete by contact…') }).click();
  const erase = page.getByRole('dialog', { name: t('删除记录', 'Delete records') });
  await erase.getByRole('textbox').fill('张三');
  const confirm = erase.getByRole('textbox', { name: t(/以确认/, /to confirm/) });
  await confirm.fill('1380013800');
  await check(page, 'erasing by contact');
  await confirm.fill('13800138000');
  await check(page, 'erasing by contact, confirmed');
  await erase.getByRole('button', { name: t('删除 10 条', 'Delete 10 records') }).click();
  const erased = page.getByText(
    t('已删除 10 条，7 天内可撤销', '10 records deleted. You can undo this for 7 days.'),
  );
  await expect(erased).toBeVisible();
  // A hovered toast stays.
  await erased.hover();
  await check(page, 'records erased');
  await page.getByRole('button', { name: t('关闭提示', 'Dismiss') }).click();

  await page.getByRole('link', { name: t('回收站', 'Bin'), exact: true }).click();
  const bin = page.getByRole('dialog', { name: t('回收站', 'Bin') });
  await bin.getByRole('button', { name: t(/^彻底清除/, /^Delete permanently/) }).click();
  await check(page, 'the bin');

  await page.goto(`${url}/chatbot/history#q=没有这样的词`);
  await expect(
    page.getByRole('heading', { name: t('没有符合条件的记录', 'No records match') }),
  ).toBeVisible();
  await check(page, 'no record found');

  await page.goto(`${url}/chatbot/history?bin=1`);
  await bin.getByRole('button', { name: t(/^撤销：/, /^Undo: /) }).click();
  await expect(bin.getByText(t('回收站是空的', 'The bin is empty'))).toBeVisible();
  await check(page, 'an empty bin');
  await page.keyboard.press('Escape');

  await more.click();
  await page.getByRole('menuitem', { name: t('导入…', 'Import…') }).click();
  await expect(page.getByRole('dialog', { name: t('导入记录', 'Import records') })).toBeVisible();
  await check(page, 'importing records');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: /第 0 个问题/ }).click();
  await page
    .getByRole('article', { name: t('记录详情', 'Record'), exact: true })
    .getByRole('button', { name: t('有帮助', 'Helpful'), exact: true })
    .click();
  await check(page, 'a record in full');
}

async function reportStates({ page, url, language, check }: ScenarioOptions, t: Translate): Promise<void> {
  const visitor = createVisitor(url);
  await importRecords(visitor, RECORDS);
  await applySession(page, url, visitor, { language });

  await page.goto(`${url}/chatbot/report`);
  const firstPage = page.getByRole('img', { name: t('第 1 页', 'Page 1'), exact: true });
  await expect(firstPage).toHaveAttribute('aria-busy', 'false');
  await check(page, 'the report');
  const conditions = page.getByRole('search', { name: t('筛选', 'Filters') });
  const dates = t('日期', 'Date');
  for (const chip of [t('联系人', 'Contact'), dates, t('来源', 'Source'), t('评价', 'Rating')]) {
    await conditions.getByRole('button', { name: chip, exact: true }).click();
    if (chip === dates) await expect(page.getByRole('grid')).toBeVisible();
    await check(page, `the condition ${chip}`);
    await page.keyboard.press('Escape');
  }
  for (const chart of [
    t('每日咨询', 'Questions by day'),
    t('按联系人', 'By contact'),
    t('按来源', 'By source'),
    t('满意度', 'Satisfaction'),
  ])
    await page.getByRole('button', { name: t(`查看表格：${chart}`, `Show table: ${chart}`) }).click();
  await check(page, 'tables instead of charts');

  const box = page.getByRole('searchbox', { name: t('搜索记录', 'Search records') });
  await box.fill('上周 退款');
  await expect(page).toHaveURL(/q=/);
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0);
  await check(page, 'words that contain dates');
  await box.fill('没有任何记录有这几个字');
  await expect(
    page.getByRole('heading', { name: t('没有符合条件的记录', 'No records match') }),
  ).toBeVisible();
  await check(page, 'nothing to report');
}

async function contactStates({ page, url, language, check }: ScenarioOptions, t: Translate): Promise<void> {
  const visitor = createVisitor(url);
  await importRecords(visitor, RECORDS);
  await askAs(visitor, [
    { text: t('怎样删除会话？', 'How do I delete a conversation?'), contact: 'li@example.com' },
  ]);
  await applySession(page, url, visitor, { language });

  await page.goto(`${url}/chatbot/contacts`);
  await expect(page.getByRole('link', { name: '张三' })).toBeVisible();
  await check(page, 'the contacts');
  await page.getByRole('searchbox').fill('没有这个人');
  await expect(page.getByRole('heading', { name: /没有这个人/ })).toBeVisible();
  await check(page, 'no contact found');

  await page.goto(`${url}/chatbot/contacts#id=13800138000`);
  const note = page.getByRole('textbox', { name: t('备注', 'Note') });
  await expect(page.getByRole('img', { name: t(/^每月咨询/, /^Questions by month/) })).toBeVisible();
  await check(page, 'a contact');
  await note.fill('x'.repeat(2001));
  await check(page, 'a note that is too long');
  await note.fill('mine');
  await visitor.call('PATCH', '/api/contacts', { id: '13800138000', note: 'another one', revision: 0 });
  await page.getByRole('button', { name: t('保存备注', 'Save note') }).click();
  await expect(page.getByRole('button', { name: t('保留我写的', 'Keep mine') })).toBeVisible();
  await check(page, 'a note in conflict');
  await page.getByRole('button', { name: t('用那一份', 'Use the other one') }).click();

  await page.getByRole('button', { name: t('更多', 'More'), exact: true }).click();
  await page.getByRole('menuitem', { name: t('合并到…', 'Merge into…') }).click();
  const merge = page.getByRole('dialog', { name: t('合并联系人', 'Merge contacts') });
  await expect(merge.getByRole('option')).toHaveCount(1);
  await check(page, 'merging a contact');
  await merge.getByRole('option').click();
  await expect(merge.getByRole('button', { name: t('合并 10 条', 'Merge 10 records') })).toBeVisible();
  await check(page, 'what a merge changes');

  await page.goto(`${url}/chatbot/contacts#id=nobody`);
  await expect(page.getByRole('heading', { name: t('没有这位联系人', 'Contact not found') })).toBeVisible();
  await check(page, 'no such contact');
}

async function fileStates(
  { page, url, urlWithModel, language, check }: ScenarioOptions,
  t: Translate,
): Promise<void> {
  const pdf = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer });
  const png = (name: string) => ({ name, mimeType: 'image/png', buffer: smallPng(240, 160, 200) });
  const picker = page.locator('input[type=file]');
  const field = page.getByPlaceholder(t('请输入问题', 'Your question'));
  const log = page.getByRole('log');

  await applySession(page, url, createVisitor(url), { language });
  await page.goto(`${url}/chatbot/index`);
  const readable = await makePdf(['仓库在苏州工业园区星湖街 328 号。\n发货时间是每天 16:30。']);
  await picker.setInputFiles([pdf('合同.pdf', readable), png('正面.png'), png('反面.png')]);
  const chips = page.getByRole('list', { name: t('要发送的文件', 'Files to send') }).getByRole('listitem');
  await expect(chips).toHaveCount(3);
  await check(page, 'files before they are sent');

  const network = await page.context().newCDPSession(page);
  const throttle = (uploadThroughput: number) =>
    network.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput,
    });
  await network.send('Network.enable');
  await throttle(1024);
  await field.fill('仓库在哪里？');
  await field.press('Enter');
  await expect(log.getByRole('progressbar')).toBeVisible();
  await check(page, 'an upload');
  await log.getByRole('button', { name: t('取消', 'Cancel') }).click();
  await expect(chips).toHaveCount(3);
  await throttle(-1);

  await picker.setInputFiles([pdf('加密.pdf', await encryptedPdf())]);
  await field.press('Enter');
  await expect(page.getByRole('alert')).toContainText('加密.pdf');
  await check(page, 'a file that was refused');
  await page.getByRole('button', { name: t('移除 加密.pdf', 'Remove 加密.pdf') }).click();
  await field.press('Enter');
  await expect(page.getByRole('button', { name: t('复制回答', 'Copy answer') })).toBeVisible({
    timeout: 60_000,
  });
  await page.reload();
  const pictures = page.getByRole('list', { name: t('图片', 'Pictures') });
  await expect(pictures.locator('img')).toHaveCount(2);
  await check(page, 'a question with files');
  await pictures.getByRole('button', { name: t('查看图片 正面.png', 'View picture 正面.png') }).click();
  await expect(page.getByRole('dialog').getByRole('img', { name: '正面.png' })).toBeVisible();
  await check(page, 'a picture');

  const asker = createVisitor(urlWithModel);
  const [thought] = await askAs(asker, [{ text: '想一想，说 3 句' }]);
  await applySession(page, urlWithModel, asker, { language });
  await page.goto(`${urlWithModel}/chatbot/index?c=${thought?.conversationId}`);
  await page.getByText(t('思考过程', 'Reasoning')).click();
  await expect(page.getByText('先想一想。再想一想。')).toBeVisible();
  await check(page, 'the thoughts of a model');
}

async function knowledgeStates({ page, url, language, check }: ScenarioOptions, t: Translate): Promise<void> {
  const editor = await signedIn(url, EDITOR);
  const { body } = await addDocument(
    editor,
    '出差补贴.md',
    '# 出差补贴\n\n出差补贴每天 120 元，按月发放。\n',
  );
  await whenIndexed(editor, body.document.id);
  const pair = '出差补贴哪一天发？';
  await addPair(editor, { question: pair, variants: [], answer: '每月 **10** 日。' });
  const unanswered = '海豹馆几点喂食？';
  await askAs(createVisitor(url), [{ text: unanswered }]);
  const archive = await editor.fetch('GET', '/api/knowledge/export');
  await applySession(page, url, editor, { username: EDITOR, language });

  await page.goto(`${url}/chatbot/knowledge`);
  const document = page.getByRole('link', { name: /出差补贴/ });
  const part = async (zh: RegExp, en: RegExp) => {
    if (isNarrow(page)) await page.getByRole('radio', { name: t(zh, en) }).click();
  };
  await expect(document).toBeVisible();
  await check(page, 'the documents');
  await document.click();
  await expect(page.getByText(/每天 120 元/)).toBeVisible();
  await check(page, 'a document with its passages');
  await page.getByRole('link', { name: t('关闭资料', 'Close document') }).click();

  await part(/^未答/, /^Unanswered/);
  await page.getByRole('button', { name: t(`写答案：${unanswered}`, `Answer: ${unanswered}`) }).click();
  await page.getByRole('textbox', { name: t('答案', 'Answer'), exact: true }).fill('**十点**。');
  await check(page, 'an answer being written');

  await part(/^问答/, /^Answers/);
  if (isNarrow(page)) {
    const search = page.getByRole('searchbox', { name: t('按问题找问答', 'Find answers by question') });
    await expect(search).toBeVisible();
    await check(page, 'the answers');
  }
  // In the narrowest window it is only in the menu.
  const more = page.getByRole('button', { name: t('更多', 'More'), exact: true });
  await more.click();
  await page.getByRole('menuitem', { name: t('新建问答', 'New answer') }).click();
  const fresh = page.getByRole('dialog', { name: t('新建问答', 'New answer') });
  await fresh.getByLabel(t('问题', 'Question'), { exact: true }).fill('你能做什么');
  await fresh.getByRole('textbox', { name: t('答案', 'Answer') }).fill('**报销**的事都可以问。');
  await check(page, 'a new answer');
  await fresh.getByRole('button', { name: t('保存', 'Save') }).click();
  await expect(fresh.getByRole('region', { name: t(/答案会改变/, /would change/) })).toBeVisible();
  await check(page, 'what an answer would change');
  await fresh.getByRole('button', { name: t('返回修改', 'Back') }).click();
  await page.keyboard.press('Escape');

  await page.getByRole('button', { name: new RegExp(`^${pair}`) }).click();
  await page
    .getByRole('dialog', { name: t('编辑问答', 'Edit answer') })
    .getByRole('button', { name: t('删除', 'Delete') })
    .click();
  await expect(page.getByRole('dialog', { name: t('删除问答', 'Delete answer') })).toBeVisible();
  await check(page, 'deleting an answer');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');

  await more.click();
  // Named after the collection if another scenario has added one to this desk.
  await page.getByRole('menuitem', { name: new RegExp(`^${t('导入', 'Import')}`) }).click();
  const box = page.getByRole('dialog', { name: t('导入知识', 'Import knowledge') });
  await box.getByLabel(t('选择文件', 'Choose file')).setInputFiles({
    name: 'knowledge.json',
    mimeType: 'application/json',
    buffer: Buffer.from(await archive.arrayBuffer()),
  });
  await expect(box.getByRole('button', { name: t('导入', 'Import'), exact: true })).toBeEnabled();
  await check(page, 'importing knowledge');
}

async function inboxStates({ page, url, language, check }: ScenarioOptions, t: Translate): Promise<void> {
  const editor = await signedIn(url, EDITOR);
  const question = t('能不能请人看一下我的发票？', 'Could somebody look at my invoice?');
  const { visitor, id } = await askForPerson(url, question, 'visitor@example.com');
  await applySession(page, url, editor, { username: EDITOR, language });
  const request = page.getByRole('article', { name: t('咨询详情', 'Request'), exact: true });
  const press = (zh: string, en: string) =>
    request.getByRole('button', { name: t(zh, en), exact: true }).click();

  await page.goto(`${url}/chatbot/inbox`);
  const row = page.getByRole('link', { name: question }).first();
  await expect(row).toBeVisible();
  await check(page, 'the open requests');
  await row.click();
  await expect(request.getByText(t('等待接手', 'Waiting'))).toBeVisible();
  await request.getByText(t('未答', 'Unanswered')).click();
  await check(page, 'a waiting request');

  await press('接手', 'Take');
  const field = request.getByRole('textbox', { name: t('答复', 'Reply') });
  await expect(field).toBeFocused();
  await field.fill(t('请稍等，我去查。', 'One moment, I will have a look.'));
  await field.press('Enter');
  await expect(request.getByRole('log')).toContainText(t('请稍等', 'One moment'));
  await visitor.call('POST', `/api/handovers/${id}/messages`, { text: 'A1024', clientId: `${id}-2` });
  await expect(request.getByRole('log')).toContainText('A1024');
  await check(page, 'a request with messages');

  await press('存为问答', 'Make a curated answer');
  await expect(page.getByRole('dialog')).toBeVisible();
  await check(page, 'a curated answer from a request');
  await page.keyboard.press('Escape');

  await field.fill(t('写了一半', 'half of a sent'));
  await visitor.call('POST', `/api/handovers/${id}/close`);
  await expect(request.getByRole('alert')).toBeVisible();
  await check(page, 'a draft for a closed request');
  await press('放弃这段话', 'Discard text');
  await check(page, 'a closed request');

  await page.goto(`${url}/chatbot/inbox?s=closed`);
  await expect(page.getByRole('link', { name: question }).first()).toBeVisible();
  await check(page, 'the closed requests');
}

/** True if the layout shows one part at a time, as on a phone. */
function isNarrow(page: Page): boolean {
  return (page.viewportSize()?.width ?? 0) < 700;
}
