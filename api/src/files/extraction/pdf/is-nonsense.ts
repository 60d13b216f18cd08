/** Minimum number of characters of a font on a page from which it is judged. */
const minLength = 8;
/** Minimum number of different characters: a bullet repeats. */
const minVariety = 6;

/** Characters that no text contains: not assigned, private, control characters. */
const impossible = /[\p{Cc}\p{Co}\p{Cn}\ufffd]/u;
/** The upper half of Latin encodings: as the codes of another script they appear without ASCII letters between them. */
const upperLatin =
  /[\u00a1-\u00ff\u0131\u0141\u0142\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6-\u02dd\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u2044\u20ac\u2122\ufb01\ufb02]/u;
const punctuation = /[!-/:-@[-`{-~]/;

/** Scripts that hardly ever share a font with each other. */
const scripts =
  'Arabic Hebrew Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Thai Lao Tibetan Myanmar Georgian Armenian Ethiopic Cherokee Khmer Mongolian'
    .split(' ')
    .map((name) => new RegExp(`\\p{Script=${name}}`, 'u'));
const maxScripts = 2;

/** Whether a text is only codes that were read as characters, because the file does not map them to any. */
export function isNonsense(text: string): boolean {
  // Leaders of dots and lines are no text.
  const characters = [...text.replace(/\s/g, '').replace(/(.)\1{2,}/gu, '$1')];
  if (characters.length < minLength) return false;
  const isMostly = (kind: RegExp, share: number, variety = minVariety) => {
    const found = characters.filter((character) => kind.test(character));
    return found.length > characters.length * share && new Set(found).size >= variety;
  };
  const symbols = characters.filter((character) => !/[\p{L}\p{N}]/u.test(character)).length;
  return (
    isMostly(impossible, 0.3) ||
    (isMostly(upperLatin, 0.75) &&
      (symbols > characters.length * 0.15 || characters.length > minLength * 5)) ||
    scripts.filter((script) => script.test(text)).length > maxScripts ||
    (characters.length > minLength * 5 && isMostly(punctuation, 0.6, minVariety + 2))
  );
}
