import type { Page } from 'playwright/test';

export interface ScenarioOptions {
  page: Page;
  /** Address of a desk without a model. */
  url: string;
  /** Address of a desk with a model that sends reasoning. */
  urlWithModel: string;
  language: 'zh' | 'en';
  /** Checks the current state of the page. */
  check(page: Page, state: string): Promise<void>;
}

/** Selects the UI text in the language of the scenario. */
export type Translate = <Text extends string | RegExp>(zh: Text, en: Text) => Text;
