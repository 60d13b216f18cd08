import { expect, type Page, type Response } from 'playwright/test';
import { ask, openAs } from './visit.ts';
import { watchViolations } from './watch-violations.ts';

const GUESTS = ['/login', '/register', '/test', '/index', '/history', '/report', '/contacts', '/shared'];
const SIGNED_IN = [
  '/index',
  '/history',
  '/report',
  '/contacts',
  '/test',
  '/knowledge',
  '/inbox',
  '/account',
  '/composition',
  '/nowhere',
];

interface Visit {
  /** Name of the account to create. */
  username: string;
  language: 'zh' | 'en';
  /** Whether to open the screens as a guest first. */
  isGuestFirst?: boolean;
}

/** Opens every screen. Fails if a page's content security policy is not strict, or if the page violates it. */
export async function visitScreens(page: Page, url: string, visit: Visit): Promise<void> {
  const { username, language, isGuestFirst = false } = visit;
  await watchViolations(page);
  if (isGuestFirst) {
    await open(page, url, '/index');
    await switchLanguage(page, language);
    for (const screen of GUESTS) await open(page, url, screen);
    await switchLanguage(page, 'zh');
  }
  await openAs(page, url, username);
  await page.goto(`${url}/chatbot/index`);
  expect(await ask(page, '怎样删除会话？')).toContain('删除');
  await switchLanguage(page, language);
  for (const screen of SIGNED_IN) await open(page, url, screen);
}

/**
 * Makes violations of a page's content security policy fail the test. The returned function fails if a page opened meanwhile had no
 * strict policy. Call it before the first visit.
 */
export async function watchPolicy(page: Page): Promise<() => void> {
  await watchViolations(page);
  const opened: Response[] = [];
  page.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === page.mainFrame())
      opened.push(response);
  });
  return () => {
    expect(opened.length).toBeGreaterThan(0);
    for (const response of opened) expectStrict(response);
  };
}

function expectStrict(response: Response): void {
  const policy = response.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toMatch(/; trusted-types pdf-worker;/);
  expect(policy).toMatch(/; worker-src 'self' blob:;/);
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe-|\*/);
  // Pictures and fonts run no scripts.
  expect(policy.replace(/(?:img|font)-src [^;]*/g, '')).not.toContain('data:');
  expect(response.headers()['integrity-policy']).toBe('blocked-destinations=(script), endpoints=(desk)');
}

async function open(page: Page, url: string, screen: string): Promise<void> {
  const response = await page.goto(`${url}/chatbot${screen}`);
  expectStrict(response!);
  await expect(page.getByRole('heading').first()).toBeVisible();
  await page.waitForLoadState('networkidle');
}

async function switchLanguage(page: Page, language: Visit['language']): Promise<void> {
  const isChinese = (await page.locator('html').getAttribute('lang')) === 'zh-CN';
  if (isChinese === (language === 'zh')) return;
  await page.getByRole('button', { name: /switch to English|切换到中文/ }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', language === 'zh' ? 'zh-CN' : 'en');
}
