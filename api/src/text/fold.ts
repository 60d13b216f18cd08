import traditionalToSimplified from 'opencc-js/dict/TSCharacters';

/** Folded text with offsets: UTF-16 unit `i` of `text` comes from `starts[i]`–`ends[i]` of the original. */
export interface FoldedText {
  text: string;
  starts: Uint32Array;
  ends: Uint32Array;
}

/**
 * Folds text so that spellings of the same word are equal: NFKC (full width becomes half width), lower case,
 * and simplified instead of traditional characters (OpenCC's table). Code points are folded one by one, to
 * map offsets to the original, so that combining marks remain separate.
 */
export function foldText(original: string): FoldedText {
  if (isOneToOne(original)) return { text: fold(original), ...placesOf(original.length) };
  const pieces: string[] = [];
  let starts = new Uint32Array(original.length + room);
  let ends = new Uint32Array(original.length + room);
  let [at, length] = [0, 0];
  for (const character of original) {
    const folded = foldCharacter(character);
    if (length + folded.length > starts.length) [starts, ends] = [larger(starts), larger(ends)];
    for (let unit = 0; unit < folded.length; unit += 1) {
      starts[length] = at;
      ends[length] = at + character.length;
      length += 1;
    }
    pieces.push(folded);
    at += character.length;
  }
  return { text: pieces.join(''), starts: starts.subarray(0, length), ends: ends.subarray(0, length) };
}

const placesUpTo = (length: number) => Uint32Array.from({ length: length + 1 }, (_, at) => at);
const commonPlaces = placesUpTo(20_000);

/** The offsets of a text of which every unit remains at its position. */
function placesOf(length: number): Omit<FoldedText, 'text'> {
  const places = length < commonPlaces.length ? commonPlaces : placesUpTo(length);
  return { starts: places.subarray(0, length), ends: places.subarray(1, length + 1) };
}

/** Room for characters that become longer, by at most 17 units each. */
const room = 32;

function larger(places: Uint32Array): Uint32Array<ArrayBuffer> {
  const more = new Uint32Array(places.length * 2 + room);
  more.set(places);
  return more;
}

/** Folds text without offsets, see `foldText`. */
export function fold(original: string): string {
  let [text, from] = ['', 0];
  for (let at = 0; at < original.length; at += 1) {
    const unit = original.charCodeAt(at);
    const effect = effectOf(unit);
    if (effect === effects.none) continue;
    const character = String.fromCodePoint(original.codePointAt(at)!);
    text += original.slice(from, at);
    text += effect === effects.one ? String.fromCharCode(becomes[unit]!) : foldCharacter(character);
    from = at + character.length;
    at = from - 1;
  }
  return from === 0 ? original : text + original.slice(from);
}

/** The effects of folding a unit: none, one other unit, or anything else, as for surrogates. */
const effects = { none: 1, one: 2, other: 3 } as const;
/** Effects by unit, computed on demand; 0 if not computed yet. */
const known = new Uint8Array(2 ** 16);
/** The units that replace those with the effect `one`. */
const becomes = new Uint16Array(2 ** 16);

function effectOf(unit: number): number {
  known[unit] ||= findEffect(unit);
  return known[unit]!;
}

function findEffect(unit: number): number {
  if (unit >= 0xd800 && unit <= 0xdfff) return effects.other;
  const character = String.fromCharCode(unit);
  const folded = foldCharacter(character);
  if (folded === character) return effects.none;
  if (folded.length !== 1) return effects.other;
  becomes[unit] = folded.charCodeAt(0);
  return effects.one;
}

function isOneToOne(original: string): boolean {
  for (let at = 0; at < original.length; at += 1)
    if (effectOf(original.charCodeAt(at)) === effects.other) return false;
  return true;
}

const simplified = new Map(
  traditionalToSimplified.split('|').map((pair) => pair.split(' ', 2) as [string, string]),
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
