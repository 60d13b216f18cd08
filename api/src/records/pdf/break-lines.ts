/** A line of a text: UTF-16 units [start, end), without trailing spaces. */
export interface Line {
  start: number;
  end: number;
}

/** Character classes of the line breaker. */
const space = 1;
/** Chinese, Japanese, symbols: a line may break before and after it. */
const ideograph = 2;
/** Parts of words: Latin, Greek, Cyrillic, digits and their punctuation. */
const letter = 3;
/** Never starts a line. */
const closing = 4;
/** Never ends a line. */
const opening = 5;
/** Combining marks, which belong to the preceding character. */
const attached = 6;
/** Straight quotes: neither start nor end a line next to an ideograph. */
const quote = 7;
/** A hyphen: a word may be broken after it. */
const hyphen = 8;
/** Dashes that come in pairs. */
const dash = 9;

const closings =
  '，。！？；：、）》」』】”’…‥〕〉〗〙〛｝］｠·・〜～％‰℃℉°々〻ゝゞヽヾーぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ｡､｣' +
  ',.!?;:)]}%\u00a0›»';
const openings = '（《「『【“‘〔〈〖〘〚｛［｟￥＄￡＃＠｢([{‹«';

const classes = new Uint8Array(0x10000);

/**
 * Breaks a text into lines of at most `width`, by the rules of Chinese typesetting and of Latin words (a
 * subset of UAX #14): no line starts with closing or ends with opening punctuation, words stay whole unless
 * they are longer than a line, `\n` always breaks. If there is no break opportunity, the line is cut after the
 * last character that fits, never between a character and its combining marks. Expects cleaned text (see
 * `cleanText`) and takes time proportional to its length.
 * @param advance Width of a UTF-16 unit, in the unit of `width`.
 */
export function breakLines(text: string, width: number, advance: (code: number) => number): Line[] {
  const lines: Line[] = [];
  let from = 0;
  while (from <= text.length) {
    const found = text.indexOf('\n', from);
    const end = found < 0 ? text.length : found;
    breakParagraph(text, from, end, width, advance, lines);
    from = end + 1;
  }
  return lines;
}

function breakParagraph(
  text: string,
  from: number,
  end: number,
  width: number,
  advance: (code: number) => number,
  lines: Line[],
): void {
  let start = from;
  let used = 0;
  let place = -1;
  let index = from;
  while (index < end) {
    const code = text.charCodeAt(index);
    const own = classOf(code);
    if (index > start && mayBreak(text, start, index, own)) place = index;
    used += advance(code);
    // Trailing spaces may exceed the width: they are invisible.
    if (used <= width || own === space) {
      index += 1;
      continue;
    }
    const cut = place > start ? place : cutBefore(text, start, index);
    lines.push({ start, end: trimmed(text, start, cut) });
    start = cut;
    while (start < end && classOf(text.charCodeAt(start)) === space) start += 1;
    index = start;
    used = 0;
    place = -1;
  }
  if (start < end || lines.length === 0 || start === from)
    lines.push({ start, end: trimmed(text, start, end) });
}

/** Whether a line may end before `index`, where a character of class `own` is. */
function mayBreak(text: string, start: number, index: number, own: number): boolean {
  if (own === space || own === closing || own === attached) return false;
  const before = classOf(text.charCodeAt(index - 1));
  if (before === space) {
    let last = index - 2;
    while (last >= start && classOf(text.charCodeAt(last)) === space) last -= 1;
    return last >= start && classOf(text.charCodeAt(last)) !== opening;
  }
  if (before === opening || before === quote || own === quote) return false;
  if (before === dash && own === dash) return false;
  if (before === hyphen) {
    const isWithinWord = index - 2 >= start && [index - 2, index].every((at) => isWord(text.charCodeAt(at)));
    return own === ideograph || (own === letter && isWithinWord);
  }
  if (own === hyphen) return before === ideograph;
  if (before === attached) return own === ideograph;
  if (before === ideograph || own === ideograph || before === dash || own === dash) return true;
  // A line may break after Chinese punctuation; after Latin punctuation ("3.14", "f(x)", "don’t") the word
  // continues.
  if (before === closing) return isWide(text.charCodeAt(index - 1));
  return own === opening && isWide(text.charCodeAt(index));
}

/** Without a break opportunity: before the first character that does not fit, after at least one. */
function cutBefore(text: string, start: number, index: number): number {
  let cut = index;
  while (cut > start && classOf(text.charCodeAt(cut)) === attached) cut -= 1;
  if (cut > start) return cut;
  cut = Math.max(index, start + 1);
  while (cut < text.length && classOf(text.charCodeAt(cut)) === attached) cut += 1;
  return cut;
}

function trimmed(text: string, start: number, end: number): number {
  let last = end;
  while (last > start && classOf(text.charCodeAt(last - 1)) === space) last -= 1;
  return last;
}

/** Chinese punctuation. Apostrophes and quotation marks stay with Latin words. */
function isWide(code: number): boolean {
  return code > 0x2e7f;
}

function isWord(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || (code >= 0xc0 && code <= 0x24f);
}

function classOf(code: number): number {
  const known = classes[code]!;
  if (known !== 0) return known;
  const found = classify(String.fromCharCode(code));
  classes[code] = found;
  return found;
}

function classify(character: string): number {
  if (character === ' ' || character === '\u3000' || /[\u2000-\u200a\u205f\u1680]/.test(character))
    return space;
  if (closings.includes(character)) return closing;
  if (openings.includes(character)) return opening;
  if (character === '"' || character === "'") return quote;
  if (character === '-') return hyphen;
  if (character === '—' || character === '―' || character === '⸺') return dash;
  if (/\p{M}/u.test(character)) return attached;
  if (
    /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}\u0021-\u007e\u00a1-\u02ff]/u.test(character)
  )
    return /[\uff00-\uffef]/.test(character) ? ideograph : letter;
  return ideograph;
}
