import type { Language } from '../contract/language.ts';
import type { DeskSettings } from '../contract/settings.ts';

const labels = {
  zh: { contact: '联系方式：', hours: '办公时间：' },
  en: { contact: 'Contact: ', hours: 'Office hours: ' },
} as const;

/** The answer if nothing is found: the desk's own text or `product`, then how to reach people. */
export function nothingFoundText({ texts }: DeskSettings, language: Language, product: string): string {
  const { notFound, contact, hours } = texts[language];
  const parts = [
    notFound || product,
    contact && labels[language].contact + contact,
    hours && labels[language].hours + hours,
  ];
  return parts.filter(Boolean).join('\n\n');
}
