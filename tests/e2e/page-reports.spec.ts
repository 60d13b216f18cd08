import type { Health } from '../../api/src/contract/reports.ts';
import { call, OPS } from './deploy.ts';
import { expect, test } from './desk-test.ts';
import { ask } from './visit.ts';

// Thrown below.
test.use({ expectedErrors: /went wrong on purpose/ });

test('a page sends its reports to the desk only', async ({ page, startAnother }) => {
  // A separate desk without other visitors.
  const desk = await startAnother({ env: OPS });
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(desk.url) && !/^(data|blob|about):/.test(request.url()))
      elsewhere.push(request.url());
  });
  await page.goto(`${desk.url}/chatbot/index`);
  await ask(page, '怎样删除会话？');
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('「怎样删除会话」 went wrong on purpose, says 13812345678');
    });
  });
  await page.getByRole('navigation').getByRole('link', { name: '报告' }).click();
  await expect(page.getByRole('heading', { level: 1, name: '报告' })).toBeVisible();
  const health = () => call<Health>(desk, 'GET', '/ops/health');
  const rowOf = async (remote: string) => (await health()).rows.find((row) => row.remote === remote);
  // The script that measures is loaded while the page is idle; on a busy machine that is after the screen is shown.
  await expect.poll(async () => (await rowOf('host'))?.errors).toBe(1);
  // Web vitals are known when the page is left. A page of the same site is opened by the same process, which leaves the page the time it needs.
  await page.goto(`${desk.url}/healthz`);

  await expect.poll(async () => (await rowOf('mfe-chat'))?.vitals.LCP?.count).toBe(1);
  expect(await rowOf('mfe-chat')).toMatchObject({ loads: 1, errors: 0 });
  expect((await rowOf('mfe-chat'))!.vitals.LCP!.p75).toBeGreaterThan(0);
  await expect.poll(async () => (await rowOf('mfe-chat'))?.vitals.INP?.count).toBe(1);
  expect((await rowOf('mfe-records'))?.loads).toBe(1);
  const host = await rowOf('host');
  expect(host).toMatchObject({ loads: 1, errors: 1 });
  expect(host!.lastErrors[0]!.error).toMatch(/^Error: "…" went wrong on purpose, says #/);
  expect(JSON.stringify(await health())).not.toContain('删除会话');
  expect(elsewhere).toEqual([]);
});

test('a page that is left immediately has reported that the host runs', async ({ page, desk }) => {
  const reports: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/ops/reports')) reports.push(request.postData() ?? '');
  });
  // Scripts that report later are blocked.
  await page.route(/\/host\/.*\/reports\.[^/]*\.js$/, () => undefined);
  await page.goto(`${desk.url}/chatbot/login`, { waitUntil: 'commit' });
  await expect(page.getByRole('form', { name: '登录' })).toBeVisible();
  await expect
    .poll(() => reports.map((report) => JSON.parse(report).events))
    .toEqual([[{ kind: 'load', remote: 'host', version: expect.any(String), ms: expect.any(Number) }]]);
});
