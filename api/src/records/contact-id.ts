/** Longest contact id and name, in UTF-16 units. */
export const longestContact = 120;

/**
 * The one id of a contact, however it is written: a phone without spaces and dashes and, before an 11-digit mobile, without +86 or
 * 0086; an e-mail in lower case; any other text in NFKC, trimmed. '' stays '': oneself.
 */
export function contactId(written: string): string {
  const text = written.normalize('NFKC').trim();
  const digits = text.replace(/[\s\p{Pd}]/gu, '');
  if (/^\+?\d{5,20}$/.test(digits)) return digits.replace(/^(?:\+86|0086)(?=1\d{10}$)/, '');
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text.toLowerCase();
  return text;
}

/** A contact's name as it is kept and compared: NFKC, trimmed. */
export function contactName(written: string): string {
  return written.normalize('NFKC').trim();
}
