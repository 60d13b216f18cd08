/**
 * Characters that are removed: control characters except tab and line end, direction marks, byte order marks,
 * Unicode noncharacters.
 */
const useless = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]|\p{Noncharacter_Code_Point}/gu;

/**
 * Normalises a text: well-formed, `
 * ` line ends, at most one empty line in a row, trimmed.
 */
export function clean(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029\u0085\f\v]/g, '\n')
    .toWellFormed()
    .replace(useless, '')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
}
