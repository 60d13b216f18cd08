/**
 * Everything that no text needs: control characters except tab and line end, marks that turn the reading direction, byte order marks,
 * places that Unicode leaves empty.
 */
const useless = /(?![\t\n])\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]|\p{Noncharacter_Code_Point}/gu;

/** A well-formed text with `\n` line ends, no more than one empty line at a time, and nothing around it. */
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
