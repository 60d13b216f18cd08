/** Maximum length of contact id and name, in UTF-16 units. */
export const maxContactLength = 120;

/**
 * Normalises a contact id: phone numbers without spaces and dashes and, for 11-digit mobile numbers, without
 * +86 or 0086; e-mail addresses in lower case; any other text in NFKC, trimmed. '' (the owner) stays ''.
 */
export function contactId(written: string): string {
  const text = written.normalize('NFKC').trim();
  const digits = text.replace(/[\s\p{Pd}]/gu, '');
  if (/^\+?\d{5,20}$/.test(digits)) return digits.replace(/^(?:\+86|0086)(?=1\d{10}$)/, '');
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return text.toLowerCase();
  return text;
}

/** Normalises a contact's name for storing and comparing: NFKC, trimmed. */
export function contactName(written: string): string {
  return written.normalize('NFKC').trim();
}
