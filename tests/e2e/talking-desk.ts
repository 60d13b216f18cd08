import type { Page } from 'playwright/test';
import { type ModelStandIn, startModel } from '../start-model.ts';
import { test as base, expect } from './desk-test.ts';

export { expect };

/** Milliseconds between two sentences. */
const PAUSE = 25;

/** Sentences that are said of an answer that waits. */
export const BEFORE_WAITING = 20;

/** Lets an answer that waits go on, so that a test can look at its middle for as long as it needs to. */
export interface Pace {
  goOn(): void;
}

/**
 * A desk with a model. Asked to 「说 12 句」 it says twelve numbered sentences, one after the other; with 「断」 its connection breaks in
 * the middle, the first time; with 「等」 it waits after twenty until it is told to go on; with 「引用」 it cites its first passage. What `says` was given for a question it says as it stands.
 */
export const test = base.extend<{ pace: Pace }, { model: ModelStandIn; says: Map<string, string> }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  pace: async ({}, use) => {
    isToGoOn = false;
    await use({ goOn: openGates });
    // What still waits must not hold up the next test.
    openGates();
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from this pattern
  says: [async ({}, use) => use(new Map()), { scope: 'worker' }],
  model: [
    async ({ says }, use) => {
      const hasBroken = new Set<string>();
      const model = await startModel({
        pause: PAUSE,
        pieces: (prompt) => {
          const question = asked(prompt);
          const given = says.get(question);
          if (given !== undefined) return given.match(/[\s\S]{1,400}/g) ?? [];
          return Array.from({ length: sentences(question) }, (_, index) => sentence(index + 1));
        },
        gate: (prompt, index) => {
          // Told to go on before it has come so far, it does not wait.
          if (isToGoOn || index !== BEFORE_WAITING || !asked(prompt).includes('等')) return undefined;
          return new Promise((resolve) => gates.add(resolve));
        },
        cutAfter: (prompt) => {
          const question = asked(prompt);
          if (!question.includes('断') || hasBroken.has(question)) return undefined;
          hasBroken.add(question);
          return Math.floor(sentences(question) / 2);
        },
      });
      await use(model);
      await model.close();
    },
    { scope: 'worker' },
  ],
  desk: [
    async ({ startAnother, model }, use) => {
      await use(await startAnother({ env: modelEnv(model) }));
    },
    { scope: 'worker' },
  ],
});

/** Of answers that wait, in this worker. */
const gates = new Set<() => void>();
let isToGoOn = true;

function openGates(): void {
  isToGoOn = true;
  for (const open of gates) open();
  gates.clear();
}

/** What a desk is started with to answer by this model. */
export function modelEnv({ url }: ModelStandIn): Record<string, string> {
  return { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'stand-in' };
}

export function sentence(n: number): string {
  return `这是第 ${n} 句。`;
}

/** The whole of an answer of so many sentences. */
export function wholeAnswer(count: number): string {
  return Array.from({ length: count }, (_, index) => sentence(index + 1)).join('');
}

export const question = (page: Page) => page.getByPlaceholder('请输入问题');
export const questions = (page: Page) => page.getByRole('article', { name: '我的问题' });
export const answers = (page: Page) => page.getByRole('article', { name: '咨询台的回答' });

/** Sends a question by Enter. */
export async function put(page: Page, text: string): Promise<void> {
  await question(page).fill(text);
  await question(page).press('Enter');
  await expect(question(page)).toHaveValue('');
}

/** The question stands last in the prompt, behind the passages. */
function asked(prompt: string): string {
  return prompt.split('\n').at(-1) ?? '';
}

function sentences(question: string): number {
  return Number(/说 (\d+) 句/.exec(question)?.[1] ?? 3);
}
