import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from './desk-test.ts';
import { openAs } from './visit.ts';

const root = path.join(import.meta.dirname, '../..');
const COPIED = [
  ...['package.json', 'package-lock.json', 'rspack.shared.js', 'tsconfig.base.json', 'tsconfig.web.json'],
  ...['api', 'host', 'mfe-auth', 'mfe-chat', 'mfe-records'],
];
const FRONT_ENDS = ['host', 'host/ui', 'mfe-auth', 'mfe-chat', 'mfe-records'];
const LANGUAGE = 'eo';
const SCREENS = [
  ...['/index', '/history', '/report', '/contacts', '/knowledge', '/inbox', '/account', '/settings'],
  ...['/composition', '/test', '/shared', '/nowhere', '/login', '/register'],
];

type Text = string | Record<string, string>;

/** English text marked so that it cannot be confused with a text of another language. */
function pseudo(text: Text): Text {
  if (typeof text === 'string') return text && `[ẋ ${text}]`;
  return Object.fromEntries(Object.entries(text).map(([form, one]) => [form, `[ẋ ${one}]`]));
}

/** A checkout with a further language: files in `locales`, and one line that registers it. */
async function withThirdLanguage(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'third-language-'));
  for (const name of COPIED)
    await cp(path.join(root, name), path.join(folder, name), {
      recursive: true,
      filter: (from) => !/[\\/](dist|node_modules|\.types|screenshots)$/.test(from),
    });
  // Some packages are installed in the workspace that needs another version.
  for (const name of ['.', ...COPIED].map((one) => path.join(one, 'node_modules')))
    if (existsSync(path.join(root, name))) await symlink(path.join(root, name), path.join(folder, name));
  for (const workspace of await workspacesWithTexts(folder)) {
    const from = path.join(folder, workspace, 'locales/en');
    const to = path.join(folder, workspace, 'locales', LANGUAGE);
    await mkdir(to);
    for (const file of await readdir(from)) {
      const texts: Record<string, Text> = JSON.parse(await readFile(path.join(from, file), 'utf8'));
      const marked = Object.entries(texts).map(([key, text]) => [key, pseudo(text)]);
      await writeFile(path.join(to, file), JSON.stringify(Object.fromEntries(marked)));
    }
  }
  const registry = path.join(folder, 'api/src/contract/language.ts');
  const source = await readFile(registry, 'utf8');
  const line = `  ${LANGUAGE}: { locale: '${LANGUAGE}', mark: 'X', label: 'X: pseudo-language' },\n`;
  expect(source).toContain('} as const;');
  await writeFile(registry, source.replace('} as const;', `${line}} as const;`));
  return folder;
}

async function workspacesWithTexts(folder: string): Promise<string[]> {
  const api = await readdir(path.join(folder, 'api'));
  return api.includes('locales') ? [...FRONT_ENDS, 'api'] : FRONT_ENDS;
}

test('a third language needs files and one line: every screen opens in it', { tag: '@long' }, async ({
  page,
  startAnother,
}) => {
  test.setTimeout(600_000);
  const folder = await withThirdLanguage();
  try {
    const desk = await startAnother({ folder });
    await openAs(page, desk.url, 'first');
    await page
      .context()
      .addCookies([{ name: 'desk-language', value: LANGUAGE, url: `${desk.url}/chatbot/` }]);
    await page.goto(`${desk.url}/chatbot/index`);
    await expect(page.locator('html')).toHaveAttribute('lang', LANGUAGE);
    await expect(page.getByPlaceholder('[ẋ Your question]')).toBeVisible();
    for (const screen of SCREENS) {
      const response = await page.goto(`${desk.url}/chatbot${screen}`);
      expect(await response!.text()).toContain(`${LANGUAGE}-frame-json`);
      await expect(page.getByRole('heading').first()).toContainText('[ẋ');
    }
    // The button switches from each language to the next.
    await page.getByRole('button', { name: /切换到中文/ }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', 'zh-CN');
    await page.getByRole('button', { name: /switch to English/ }).click();
    await page.getByRole('button', { name: 'X: pseudo-language' }).click();
    await expect(page.locator('html')).toHaveAttribute('lang', LANGUAGE);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
