import { defineTexts } from 'host/ui/texts.ts';
import type account from '../locales/zh/account.json';
import type audit from '../locales/zh/audit.json';
import type login from '../locales/zh/login.json';
import type people from '../locales/zh/people.json';
import type settings from '../locales/zh/settings.json';
import type testForm from '../locales/zh/test-form.json';

export const accountTexts = defineTexts<typeof account>(file('account'));

export const auditTexts = defineTexts<AuditTexts>(file('audit'));
export type AuditTexts = typeof audit;

export const loginTexts = defineTexts<typeof login>(file('login'));

export const peopleTexts = defineTexts<typeof people>(file('people'));

export const settingsTexts = defineTexts<SettingsTexts>(file('settings'));
export type SettingsTexts = typeof settings;

/** Texts of /test. The three messages are required by the specification. */
export const testFormTexts = defineTexts<TestFormTexts>(file('test-form'));
export type TestFormTexts = typeof testForm;

function file(name: string) {
  return (language: string) =>
    import(/* webpackChunkName: "[request]" */ `../locales/${language}/${name}.json`);
}
