/**
 * Whether what was typed is this contact's id, however it is written: a phone with spaces, dashes or +86, an e-mail in capitals, full
 * width. The server decides in the same way which contact is meant.
 */
export function isSameContact(typed: string, id: string): boolean {
  return typed.trim() !== '' && normalised(typed) === normalised(id);
}

function normalised(written: string): string {
  const text = written.normalize('NFKC').trim();
  const digits = text.replace(/[\s\p{Pd}]/gu, '');
  if (/^\+?\d{5,20}$/.test(digits)) return digits.replace(/^(?:\+86|0086)(?=1\d{10}$)/, '');
  return /^[^\s@]+@[^\s@]+$/.test(text) ? text.toLowerCase() : text;
}

/** Whether what was typed is this number, with or without separators. */
export function isSameCount(typed: string, count: number): boolean {
  const digits = typed.normalize('NFKC').replace(/[\s,，]/g, '');
  return /^\d{1,15}$/.test(digits) && Number(digits) === count;
}
