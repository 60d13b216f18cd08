import type { Page } from 'playwright/test';
import { expect, test } from './desk-test.ts';
import { modelEnv, SENTENCES_BEFORE_PAUSE, sentence, wholeAnswer } from './scripted-model.ts';

export { expect, modelEnv, SENTENCES_BEFORE_PAUSE, sentence, test, wholeAnswer };

export const question = (page: Page) => page.getByPlaceholder('请输入问题');
export const questions = (page: Page) => page.getByRole('article', { name: '我的问题' });
export const answers = (page: Page) => page.getByRole('article', { name: '咨询台的回答' });

/** Types a question and sends it with Enter. */
export async function sendQuestion(page: Page, text: string): Promise<void> {
  await question(page).fill(text);
  await question(page).press('Enter');
  await expect(question(page)).toHaveValue('');
}
