/**
 * True if the typed text is this contact's id in any format: a phone number with separators, `tel:` or +86, any case, full width, any number of
 * spaces, or with the label's quotation marks.
 */
export function isSameContact(typed: string, id: string): boolean {
  const written = normalised(typed);
  return written !== '' && written === normalised(id);
}

function normalised(written: string): string {
  const text = written
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/^(?:tel|sms|mailto):/i, '');
  const digits = text.replace(/[\s\p{Pd}().]/gu, '');
  // A number with or without country and area code belongs to the same person.
  if (/^\+?\d{5,20}$/.test(digits))
    return digits.replace(/^(?:(?:\+|00)86|86(?=1\d{10}$))/, '').replace(/^0+/, '');
  return text
    .replace(/^[「“"']+|[」”"']+$/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

/** True if the typed text is this number, with or without separators. */
export function isSameCount(typed: string, count: number): boolean {
  const digits = typed.normalize('NFKC').replace(/[\s,，]/g, '');
  return /^\d{1,15}$/.test(digits) && Number(digits) === count;
}
