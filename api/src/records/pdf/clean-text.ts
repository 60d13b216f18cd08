/** Placeholder for a character that the font does not have. */
export const missingMark = '□';

const graphemes = new Intl.Segmenter('und', { granularity: 'grapheme' });
const lineEnds = /\r\n?|[\v\f\u0085\u2028\u2029]/g;
const controls = /(?!\n)\p{Cc}/gu;
const invisible = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * Returns the printable form of a text. Line ends become `\n`, a tab four spaces; control and invisible characters (joiners, direction marks, byte order marks) are
 * removed. Anything else that the font does not cover is replaced by a placeholder, one per grapheme cluster
 * (UAX #29), so that nothing disappears silently.
 * @param covers Whether the font has a UTF-16 unit.
 */
export function cleanText(text: string, covers: (code: number) => boolean): string {
  if (isClean(text, covers)) return text;
  const plain = text.replace(lineEnds, '\n').replaceAll('\t', '    ').replace(controls, '');
  if (isClean(plain, covers)) return plain;
  let clean = '';
  for (const { segment } of graphemes.segment(plain))
    clean += isClean(segment, covers) ? segment : cleanGrapheme(segment, covers);
  return clean;
}

function isClean(text: string, covers: (code: number) => boolean): boolean {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x0a || (code > 0x1f && code < 0x7f)) continue;
    if (code < 0xa0 || !covers(code) || isInvisible(code) || isCombining(code)) return false;
  }
  return true;
}

function cleanGrapheme(grapheme: string, covers: (code: number) => boolean): string {
  const visible = grapheme.normalize('NFC').replace(invisible, '');
  let clean = '';
  let isMarked = false;
  for (const character of visible) {
    if (character.length === 1 && (character === '\n' || covers(character.charCodeAt(0)))) clean += character;
    else if (!isMarked) {
      clean += missingMark;
      isMarked = true;
    }
  }
  return clean;
}

/** Marks that are rendered better as one precomposed character with their letter, if there is one. */
function isCombining(code: number): boolean {
  return code >= 0x300 && code <= 0x36f;
}

/** Invisible characters for which some fonts have glyphs. */
function isInvisible(code: number): boolean {
  return (
    code === 0xad ||
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f) ||
    (code >= 0xfe00 && code <= 0xfe0f) ||
    code === 0x115f ||
    code === 0x1160 ||
    code === 0x3164 ||
    code === 0x034f ||
    code === 0xfeff ||
    code === 0xffa0
  );
}
