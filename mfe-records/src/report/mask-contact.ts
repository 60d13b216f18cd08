import type { Contact } from 'api/contract/records';

/**
 * Masks a contact's id or name except for its first and last characters: 138****8000, d**@northwind.cn, 张*, 欧**娜. Must equal the API's
 * rule, because the preview shows the PDF's content.
 */
export function maskText(text: string): string {
  const characters = [...text];
  const at = text.lastIndexOf('@');
  if (at > 0 && at < text.length - 1) return `${characters[0]}**${text.slice(at)}`;
  if (/^\+?\d{11,}$/.test(text)) return `${text.slice(0, 3)}****${text.slice(-4)}`;
  if (/^\+?\d{7,10}$/.test(text)) return `${text.slice(0, 2)}****${text.slice(-2)}`;
  if (characters.length <= 1) return '*';
  if (characters.length === 2) return `${characters[0]}*`;
  const stars = '*'.repeat(Math.min(characters.length - 2, 4));
  return `${characters[0]}${stars}${characters.at(-1)}`;
}

export function maskContact({ id, name }: Contact): Contact {
  return { id: id === '' ? '' : maskText(id), name: name === '' ? '' : maskText(name) };
}

/** Chinese mobile numbers, optionally with country code and spaces; e-mail addresses. */
const PHONE = /(?<!\d)(?:(?:\+|00)86[ -]?)?1[3-9]\d(?:[ -]?\d){8}(?!\d)/g;
const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** Masks contacts in free text: the given ones, and everything that looks like a mobile number or an e-mail address. */
export function maskWithin(text: string, contacts: Iterable<Contact>): string {
  const known = [...contacts]
    .flatMap(({ id, name }) => [id, name])
    .filter((one) => one.length > 1 || one === text);
  const masked = [...new Set(known)]
    // Longer names first: 张三丰 before 张三.
    .sort((a, b) => b.length - a.length)
    .filter(Boolean)
    .reduce((sofar, one) => {
      const pattern = new RegExp(one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
      return sofar.replace(pattern, maskText);
    }, text);
  return masked
    .replace(PHONE, (found) => maskText(found.replace(/^(?:\+|00)86/, '').replace(/[ -]/g, '')))
    .replace(EMAIL, maskText);
}
