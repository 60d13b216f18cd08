import { createVisitor } from '../../api/src/testing/visitor.ts';
import { test } from './desk-test.ts';
import { bringIn } from './records.ts';
import { become } from './visit.ts';
test('seek', async ({ page, desk }) => {
  const v = createVisitor(desk.url);
  await bringIn(v, 1002);
  const { body } = await v.call<any>('GET', '/api/conversations');
  const id = body.conversations[0].id;
  let cursor = ''; let last: any;
  do { const r = await v.call<any>('GET', `/api/conversations/${id}/records?limit=100${cursor ? `&cursor=${cursor}` : ''}`); last = r.body.records.at(-1); cursor = r.body.nextCursor; } while (cursor);
  await become(page, desk.url, v);
  page.on('response', (r) => r.url().includes('/records') && console.log(Math.round(performance.now()), r.status(), r.url().slice(-60)));
  await page.goto(`${desk.url}/chatbot/index?c=${id}&r=${last.id}`);
  for (let i = 0; i < 24; i++) {
    await new Promise((r) => setTimeout(r, 5000));
    const b = performance.now();
    const n = await page.evaluate(() => [document.querySelectorAll('[role=log] article').length, document.querySelectorAll('article[aria-current=true]').length]);
    console.log(Math.round(performance.now()), n.join(' '), 'eval', Math.round(performance.now() - b));
    if (n[1]) break;
  }
});
