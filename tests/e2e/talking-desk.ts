import type { Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { BEFORE_WAITING, modelEnv, sentence, wholeAnswer } from './talking-model.ts';

export { BEFORE_WAITING, expect, modelEnv, sentence, test, wholeAnswer };

export const question = (page: Page) => page.getByPlaceholder('请输入问题');
export const questions = (page: Page) => page.getByRole('article', { name: '我的问题' });
export const answers = (page: Page) => page.getByRole('article', { name: '咨询台的回答' });

/** Sends a question by Enter. */
export async function put(page: Page, text: string): Promise<void> {
  await question(page).fill(text);
  await question(page).press('Enter');
  await expect(question(page)).toHaveValue('');
}
