import { readFileSync } from 'node:fs';

/**
 * The most common passwords of eight or more characters, in lower case: from published lists of leaked ones,
 * Chinese and English. Repeated characters, sequences of digits and letters, and keyboard rows are detected
 * by rules.
 */
const commonest = new Set(
  readFileSync(new URL('common-passwords.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter(Boolean),
);

const rows = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1234567890-=',
];
const runs = rows.flatMap((row) => [row, [...row].reverse().join('')]);

/** Whether `password` is one that attackers try first. */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  return (
    commonest.has(lower) ||
    // One to four characters, repeated.
    /^(.{1,4}?)\1+$/u.test(lower) ||
    runs.some((run) => run.includes(lower))
  );
}

/** Whether `password` is the user name with few changes. */
export function isLikeName(password: string, username: string): boolean {
  const fold = (text: string) => text.normalize('NFKC').toLowerCase().replace(/\s/gu, '');
  const [given, name] = [fold(password), fold(username)];
  if (name.length < 3) return given === name;
  return [name, [...name].reverse().join('')].some(
    (one) => given.includes(one) && [...given.replaceAll(one, '')].length < 4,
  );
}
