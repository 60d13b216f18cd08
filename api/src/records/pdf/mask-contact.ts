import type { Contact } from '../../contract/records.ts';

/**
 * Masks a contact's id or name except for its first and last characters: 138****8000, d**@northwind.cn, 张*,
 * 欧**娜. Except in short names, the number of stars does not depend on the length.
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
const phone = /(?<!\d)(?:(?:\+|00)86[ -]?)?1[3-9]\d(?:[ -]?\d){8}(?!\d)/g;
const email = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu;

/** In a title or a search text: the given contacts, and what looks like a mobile number or e-mail. */
export function maskWithin(text: string, contacts: Iterable<Contact>): string {
  const known = new Set<string>();
  for (const { id, name } of contacts)
    for (const one of [id, name]) if (one.length > 1 || one === text) known.add(one);
  let masked = text;
  // Longer ones first: 张三丰 before 张三.
  for (const one of [...known].sort((a, b) => b.length - a.length)) {
    const pattern = new RegExp(one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'giu');
    masked = masked.replace(pattern, (found) => maskText(found));
  }
  return masked
    .replace(phone, (found) => maskText(found.replace(/^(?:\+|00)86/, '').replace(/[ -]/g, '')))
    .replace(email, (found) => maskText(found));
}
