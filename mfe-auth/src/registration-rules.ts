/** The three rules of /test as required by the specification. Lengths count characters, not UTF-16 units. */
export interface Registration {
  username: string;
  email: string;
  password: string;
}

export type RegistrationField = keyof Registration;

const LOCAL = /^[^\s@"(),:;<>[\]\\]+$/;
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?$/u;
const EMAIL_MAX = 320;

const RULES: Record<RegistrationField, (value: string) => boolean> = {
  username: (value) => isPresent(value) && lengthOf(value) >= 3,
  email: isEmail,
  password: (value) => isPresent(value) && lengthOf(value) >= 6,
};

/** True if `value` satisfies the rule of `field`. */
export function isValid(field: RegistrationField, value: string): boolean {
  return RULES[field](value);
}

/** name@host.tld, at most 320 characters, without empty parts between the dots. */
function isEmail(value: string): boolean {
  if (lengthOf(value) > EMAIL_MAX) return false;
  const at = value.lastIndexOf('@');
  const local = value.slice(0, at);
  const labels = value.slice(at + 1).split('.');
  if (at < 1 || labels.length < 2) return false;
  return local.split('.').every((part) => LOCAL.test(part)) && labels.every((label) => LABEL.test(label));
}

function isPresent(value: string): boolean {
  return value.trim() !== '';
}

function lengthOf(value: string): number {
  return [...value].length;
}
