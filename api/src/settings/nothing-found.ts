import type { Language } from '../contract/language.ts';
import type { DeskSettings } from '../contract/settings.ts';
import { textsOf } from '../i18n/texts-of.ts';

const textOf = textsOf('answers');

/** The answer if nothing is found: the desk's own text or `product`, then how to reach people. */
export function nothingFoundText({ texts }: DeskSettings, language: Language, product: string): string {
  const { notFound, contact, hours } = texts[language];
  const parts = [
    notFound || product,
    contact && textOf('contact', { contact })(language),
    hours && textOf('hours', { hours })(language),
  ];
  return parts.filter(Boolean).join('\n\n');
}
