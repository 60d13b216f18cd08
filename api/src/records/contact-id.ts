/** Characters that are not seen: zero-width ones, direction marks, soft hyphens. */
const unseen = /[\u00ad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * Normalises a contact id: a phone number is its digits, whatever separates them, in mainland China without the
 * country code (a mobile or service number as it is, a landline with the 0 of its area code); an e-mail address in
 * lower case; any other text in NFKC, trimmed. `tel:` and `mailto:` are dropped. '' (the owner) stays ''.
 */
export function contactId(written: string): string {
  const text = contactName(written);
  const [, address = text] = /^(?:tel|sms|mailto):(?:\/\/)?([^?;]*)/i.exec(text) ?? [];
  return phoneNumber(address.trim()) ?? (isEmail(address.trim()) ? address.trim().toLowerCase() : text);
}

/** Normalises a contact's name for storing and comparing: NFKC, without unseen characters, trimmed. */
export function contactName(written: string): string {
  return written.normalize('NFKC').replace(unseen, '').trim();
}

function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

/** null if it is none. */
function phoneNumber(text: string): string | null {
  if (/^[\d.]+$/.test(text) && !hasPhoneGroups(text)) return null;
  const digits = text.replace(/[\s\p{Pd}().]/gu, '');
  if (!/^\+?\d{5,20}$/.test(digits)) return null;
  const isMobile = /^(?:\+|00)?86(?=1\d{10}$)/;
  if (isMobile.test(digits)) return digits.replace(isMobile, '');
  // Without + or 00, 86 is only a country code if it is written apart.
  const isChinese = /^(?:\+|00)86/.test(digits) || /^86[\s\p{Pd}(.]/u.test(text);
  const national = isChinese ? /^(?:\+|00)?86(?:0?([1-9]\d{8,10}))$/.exec(digits)?.[1] : undefined;
  if (national === undefined) return digits;
  return /^[48]00\d{7}$/.test(national) ? national : `0${national}`;
}

/** Numbers with dots: as phone numbers are grouped, not an IP address, a date of one-digit parts or a version. */
function hasPhoneGroups(text: string): boolean {
  const groups = text.split('.');
  const isAddress = groups.length === 4 && groups.every((group) => Number(group) <= 255);
  return groups.every((group) => group.length >= 2 || groups.length === 1) && !isAddress;
}
