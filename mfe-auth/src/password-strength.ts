export type Strength = 'short' | 'weak' | 'fair' | 'good';

/** Rough strength of a new password: its length counts most, repeated characters least. The server refuses common passwords. */
export function strengthOf(password: string): Strength {
  const characters = [...password.trim()];
  if (characters.length < 8) return 'short';
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{L}\p{N}]/u, /\p{Lo}/u].filter((kind) =>
    kind.test(password),
  );
  const score = characters.length + 2 * (kinds.length - 1);
  if (new Set(characters).size < 5 || score < 12) return 'weak';
  return score < 16 ? 'fair' : 'good';
}
