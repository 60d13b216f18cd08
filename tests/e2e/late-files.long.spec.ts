import type { Page, Route } from 'playwright/test';
import { addDocument, whenIndexed } from '../../api/src/testing/knowledge-calls.ts';
import { makePdf } from '../../api/src/testing/sample-files.ts';
import { smallPng } from '../../api/src/testing/small-png.ts';
import type { Visitor } from '../../api/src/testing/visitor.ts';
import type { Desk } from '../start-desk.ts';
import { collectReports } from './broken-release.ts';
import { editingScripts } from './copy-build.ts';
import { goLive, liveRelease, OPS, publish } from './deploy.ts';
import { test as base, expect } from './desk-test.ts';
import { askAs } from './records.ts';
import { applySession, signedIn } from './visit.ts';

const VERSION = '0.9.0';

interface Scene {
  desk: Desk;
  visitor: Visitor;
  conversationId: string;
}

/** A desk whose remotes have no previous release, and one whose remotes have. */
const test = base.extend<object, { alone: Scene; withPrevious: Scene }>({
  alone: [async ({ startAnother }, use) => use(await open(await startAnother())), { scope: 'worker' }],
  withPrevious: [
    async ({ startAnother }, use) => {
      const desk = await startAnother({ env: OPS });
      for (const remote of ['mfe-chat', 'mfe-records']) {
        const live = await liveRelease(desk, remote);
        await goLive(
          desk,
          await publish(
            desk,
            remote,
            VERSION,
            editingScripts(/\.js$/, (text) => `${text}\n// ${VERSION}`),
          ),
        );
        await goLive(desk, live);
      }
      await use(await open(desk));
    },
    { scope: 'worker' },
  ],
});

async function open(desk: Desk): Promise<Scene> {
  // The first account is an editor.
  const visitor = await signedIn(desk.url, 'late');
  const { body } = await addDocument(visitor, 'pages.pdf', new Uint8Array(await makePdf(['A page.'])));
  await whenIndexed(visitor, body.document.id);
  const [answer] = await askAs(visitor, [{ text: '怎样删除会话？', contact: 'li@example.com' }]);
  return { desk, visitor, conversationId: answer?.conversationId ?? '' };
}

/** Typed before a file fails to load. */
const LINE = '还没有发出的话';

interface LateFile {
  remote: 'mfe-chat' | 'mfe-records';
  /** Without the base path; the conversation of a chat is added. */
  path: string;
  /** Makes the screen load the file, if opening it does not. */
  open?(page: Page): Promise<void>;
}

const click =
  (name: string | RegExp, role: 'button' | 'link' | 'menuitem' = 'button') =>
  (page: Page) =>
    page.getByRole(role, { name, exact: true }).first().click();
const fromMenu = (item: string) => async (page: Page) => {
  await click('更多')(page);
  await click(item, 'menuitem')(page);
};
const chat = (open?: LateFile['open']): LateFile => ({
  remote: 'mfe-chat',
  path: '/index?c=',
  ...(open && { open }),
});
const records = (path: string, open?: LateFile['open']): LateFile => ({
  remote: 'mfe-records',
  path,
  ...(open && { open }),
});

const openPdf = async (page: Page) => {
  await page.getByRole('link', { name: 'pages', exact: true }).click();
  await click('查看全文')(page);
};

/** By the beginning of the file name. The viewer of PDFs shows the text instead, see source-pdf.spec.ts. */
const FILES: Record<string, LateFile> = {
  rest: chat(),
  markdown: chat(),
  files: chat(),
  'cited-source': chat(),
  menu: chat(),
  picker: chat(),
  search: chat(),
  note: chat(),
  queries: chat(),
  'vendors-node_modules_marked': chat(),
  shortcuts: chat(click('快捷键')),
  handover: chat(click('转人工')),
  reason: chat(click('为什么')),
  picture: chat(async (page) => {
    // Before scripts run, nothing takes the file.
    await expect(page.getByRole('article', { name: '咨询台的回答' }).first()).toBeVisible();
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: smallPng(2, 2) });
    await page.getByPlaceholder('请输入问题').fill('图里有什么？');
    await click('发送')(page);
    await expect(page.getByPlaceholder('请输入问题')).toHaveValue('');
    await page.getByPlaceholder('请输入问题').fill(LINE);
    await page
      .getByRole('button', { name: /^查看图片/ })
      .last()
      .click();
  }),
  'src_history_bin-dialog': records('/history?bin=1'),
  'src_history_erase-dialog': records('/history', fromMenu('按联系人删除…')),
  'src_contacts_merge-dialog': records('/contacts#id=li%40example.com', fromMenu('合并到…')),
  'src_history_import-records': records('/history', fromMenu('导入…')),
  calendar: records('/history', (page) => page.getByRole('button', { name: /日期/ }).first().click()),
  charts: records('/report'),
  'source-dialog': records('/knowledge', openPdf),
};

const half = async (route: Route) => {
  const response = await route.fetch();
  const body = await response.body();
  await route.fulfill({ response, body: body.subarray(0, body.length / 2) });
};
const BREAKAGES: Record<string, (route: Route) => unknown> = {
  missing: (route) => route.fulfill({ status: 404, body: '' }),
  truncated: half,
  garbled: async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `}{ ${await response.text()}` });
  },
  unanswered: () => undefined,
};

for (const [file, { remote, path, open }] of Object.entries(FILES))
  for (const [way, spoil] of Object.entries(BREAKAGES))
    for (const hasPrevious of [false, true])
      test.describe(() => {
        test.use({ expectedErrors: new RegExp(`/${remote}/.*/${file}`) });
        const kind = hasPrevious ? 'with' : 'without';

        test(`${file} of ${remote} ${kind} a previous release: ${way}`, async ({
          page,
          alone,
          withPrevious,
        }) => {
          const { desk, visitor, conversationId } = hasPrevious ? withPrevious : alone;
          await applySession(page, desk.url, visitor, { username: 'late' });
          const reports = await collectReports(page);
          const names = new RegExp(`/${remote}/(?!${VERSION}).*/${file}[^/]*\\.js$`);
          await page.route(names, spoil);
          const address = `${desk.url}/chatbot${path}${remote === 'mfe-chat' ? conversationId : ''}`;
          await page.goto(address, { waitUntil: 'commit' });
          const composer = page.getByPlaceholder('请输入问题');
          // First, as some files belong to a dialog above it.
          if (remote === 'mfe-chat') await composer.fill(LINE);
          await open?.(page);

          const ofKind = async (kind: string) =>
            (await reports()).flatMap((event) => (event.kind === kind ? [event] : []));
          await expect
            .poll(async () => (await ofKind('failure'))[0])
            .toMatchObject({ remote, phase: 'load', version: '1.0.0' });
          const notice = page.getByRole('status').filter({ has: page.getByRole('button', { name: '重试' }) });
          if (hasPrevious)
            await expect
              .poll(() => ofKind('load'))
              .toContainEqual(expect.objectContaining({ remote, version: VERSION }));
          else {
            await expect(notice).toHaveText(/页面有一部分没有加载出来/);
            await page.unroute(names);
            await notice.getByRole('button', { name: '重试' }).click();
          }
          await expect(notice).toHaveCount(0);
          if (remote === 'mfe-chat') await expect(composer).toHaveValue(LINE);
        });
      });
