import type { Contact } from 'api/contract/records';

/**
 * A contact's id or name as a masked PDF has it, with its first and last characters alone: 138****8000, d**@northwind.cn, 张*, 欧**娜. The
 * preview shows what the API will write, so the two rules are the same.
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

/** Chinese mobile numbers, also with a country code and gaps; e-mail addresses. */
const PHONE = /(?<!\d)(?:(?:\+|00)86[ -]?)?1[3-9]\d(?:[ -]?\d){8}(?!\d)/g;
const EMAIL = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** Words of the visitor's own with every contact in them masked: the given ones, and whatever looks like a mobile number or an e-mail. */
export function maskWithin(text: string, contacts: Iterable<Contact>): string {
  const known = [...contacts]
    .flatMap(({ id, name }) => [id, name])
    .filter((one) => one.length > 1 || one === text);
  const masked = [...new Set(known)]
    // Longer ones first: 张三丰 before 张三.
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
