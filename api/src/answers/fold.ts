import traditionalToSimplified from 'opencc-js/dict/TSCharacters';

/** Text made comparable, with the way back: unit `i` of `text` came from `starts[i]`–`ends[i]` of what was folded. */
export interface FoldedText {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

/**
 * Folds text so that spellings of the same word are equal: NFKC (full width becomes half width), lower case, traditional
 * characters become simplified (OpenCC's table of single characters). Works code point by code point, so that every place can be
 * traced back to the original; marks that only combine with a neighbour under NFKC stay apart.
 */
export function foldText(original: string): FoldedText {
  let text = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let at = 0;
  for (const character of original) {
    const folded = foldCharacter(character);
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts.push(at);
      ends.push(at + character.length);
    }
    text += folded;
    at += character.length;
  }
  return { text, starts: Uint32Array.from(starts), ends: Uint32Array.from(ends) };
}

/** The same without the way back. */
export function fold(original: string): string {
  let text = '';
  for (const character of original) text += foldCharacter(character);
  return text;
}

const simplified = new Map(
  traditionalToSimplified.split('|').map((pair) => {
    const [from = '', to = ''] = pair.split(' ');
    return [from, to] as const;
  }),
);

function foldCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? character.toLowerCase() : character;
  const direct = simplified.get(character);
  if (direct !== undefined) return direct;
  if (code >= 0x4e00 && code <= 0x9fff) return character;
  const plain = character.normalize('NFKC').toLowerCase();
  return simplified.get(plain) ?? plain;
}
