/** A raised text, such as an exponent or the number of a note: a number after another one is separated by `^`, so that 10⁶ is not 106. */
export function raised(text: string, before: string): string {
  return /\d$/.test(before) && /^[+\-\u2212]?\d/.test(text) ? `^${text}` : text;
}
