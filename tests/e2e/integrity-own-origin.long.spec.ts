import path from 'node:path';
import { readBuildToSend } from '../../api/src/releases/publish/read-build.ts';
import { copyBuild, replacingText } from './copy-build.ts';
import { call, goLive } from './deploy.ts';
import { expect, HINT, test } from './deployed-desk.ts';
import { ask } from './visit.ts';
import { watchViolations } from './watch-violations.ts';

test.use({
  expectedErrors: /'integrity' attribute for resource '[^']*\/(releases\/mfe-chat|own-origin)\//,
});

// On this desk the fallback is the previously published release.
test("runs a release from the team's own origin, and the previous release if it was tampered with there", async ({
  page,
  newVisitor,
  desk,
  team,
}) => {
  const folder = path.join(team.folder, 'own-origin');
  const ownHint = '来自团队自己的来源';
  await copyBuild('mfe-chat', folder, '4.0.0', replacingText(HINT, ownHint));
  const { upload } = await readBuildToSend(folder);
  await call(desk, 'POST', '/ops/releases', { ...upload, address: `${team.origin}/own-origin/` });
  await goLive(desk, 'mfe-chat@4.0.0');

  await watchViolations(page);
  const response = await page.goto(`${desk.url}/chatbot/index`);
  expect(response!.headers()['content-security-policy']).toContain(`script-src 'self' ${team.origin} `);
  await expect(page.getByText(ownHint)).toBeVisible();
  expect(await ask(page, '怎样删除会话？')).toContain('删除');

  team.replace(`own-origin/${upload.entry}`, 'globalThis.hasTampered = true;');
  const other = await newVisitor();
  await other.goto(`${desk.url}/chatbot/index`);
  await expect(other.getByText(HINT)).toBeVisible();
  expect(await other.evaluate(() => 'hasTampered' in globalThis)).toBe(false);
});
