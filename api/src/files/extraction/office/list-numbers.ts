const chinese = '〇一二三四五六七八九';
const legal = '零壹贰叁肆伍陆柒捌玖';
const legalTraditional = '零壹貳參肆伍陸柒捌玖';
const korean = '영일이삼사오육칠팔구';
const stems = '甲乙丙丁戊己庚辛壬癸';
const branches = '子丑寅卯辰巳午未申酉戌亥';
const kana = 'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン';
const iroha =
  'イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス';
const ganada = '가나다라마바사아자차카타파하';
const chosung = 'ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ';
const russian = 'абвгдежзиклмнопрстуфхцчшщыэюя';

/** Numbers of lists by their format, see ECMA-376 part 1, 17.18.59; the others, such as Thai or Hebrew ones, are decimal. */
const formats: Readonly<Record<string, (number: number) => string>> = {
  none: () => '',
  decimalZero: (number) => String(number).padStart(2, '0'),
  decimalFullWidth: fullWidth,
  decimalFullWidth2: fullWidth,
  numberInDash: (number) => `- ${number} -`,
  hex: (number) => number.toString(16).toUpperCase(),
  ordinal: (number) => `${number}${ordinalEnding(number)}`,
  cardinalText: (number) => capitalised(englishWords(number)),
  ordinalText: (number) => capitalised(ordinalWords(englishWords(number))),
  upperRoman: roman,
  lowerRoman: (number) => roman(number).toLowerCase(),
  upperLetter: (number) => repeated('ABCDEFGHIJKLMNOPQRSTUVWXYZ', number),
  lowerLetter: (number) => repeated('abcdefghijklmnopqrstuvwxyz', number),
  russianUpper: (number) => repeated(russian.toUpperCase(), number),
  russianLower: (number) => repeated(russian, number),
  chicago: (number) => repeated('*†‡§', number),
  decimalEnclosedCircle: enclosed('①', 20),
  decimalEnclosedCircleChinese: enclosed('①', 20),
  decimalEnclosedParen: enclosed('⑴', 20),
  decimalEnclosedFullstop: enclosed('⒈', 20),
  ideographEnclosedCircle: enclosed('㊀', 10),
  ideographDigital: (number) => digits(number, chinese),
  japaneseDigitalTenThousand: (number) => digits(number, chinese),
  taiwaneseDigital: (number) => digits(number, chinese.replace('〇', '○')),
  koreanDigital: (number) => digits(number, korean),
  koreanDigital2: (number) => digits(number, chinese.replace('〇', '零')),
  chineseCounting: (number) => countedChinese(number),
  chineseCountingThousand: (number) => countedChinese(number),
  taiwaneseCounting: (number) => countedChinese(number),
  taiwaneseCountingThousand: (number) => countedChinese(number),
  chineseLegalSimplified: (number) => countedLegal(number),
  ideographLegalTraditional: (number) => counted(number, legalTraditional, '拾佰仟萬億', legalTraditional[0]),
  japaneseCounting: (number) => counted(number, chinese, '十百千万億').replace(/一(?=[十百千])/g, ''),
  japaneseLegal: (number) => counted(number, '〇壱弐参四伍六七八九', '拾百阡萬億'),
  koreanCounting: (number) => counted(number, korean, '십백천만억').replace(/일(?=[십백천])/g, ''),
  koreanLegal: (number) => counted(number, korean, '십백천만억').replace(/일(?=[십백천])/g, ''),
  ideographTraditional: (number) => cycled(stems, number),
  ideographZodiac: (number) => cycled(branches, number),
  ideographZodiacTraditional: (number) => cycled(stems, number) + cycled(branches, number),
  aiueo: (number) => cycled(kana, number),
  aiueoFullWidth: (number) => cycled(kana, number),
  iroha: (number) => cycled(iroha, number),
  irohaFullWidth: (number) => cycled(iroha, number),
  ganada: (number) => cycled(ganada, number),
  chosung: (number) => cycled(chosung, number),
};

/** Formats that also show zero; in the others it is a digit. */
const withZero = /^(?:ordinal|decimalZero|decimalFullWidth2?|chineseCountingThousand)$/;

/** A number of an automatic list as it is shown: `三` for 3 in chineseCounting, `003` in `zeros 3`. */
export function listNumber(number: number, format: string): string {
  const zeros = /^zeros (\d)$/.exec(format)?.[1];
  if (zeros) return String(number).padStart(Number(zeros), '0');
  const show = Object.hasOwn(formats, format) ? formats[format] : undefined;
  const hasFormat = number > 0 || withZero.test(format);
  return hasFormat && number < 1e8 ? (show?.(number) ?? String(number)) : String(number);
}

/** A whole number in Chinese words: 一百零五, 十二. */
export function countedChinese(number: number): string {
  return counted(number, chinese, '十百千万亿', '零').replace(/^一十/, '十');
}

/** The same in the characters that are used for amounts: 壹佰零伍. */
export function countedLegal(number: number): string {
  return counted(number, legal, '拾佰仟万亿', '零');
}

/** Each digit for itself: 二〇二六. */
export function digits(number: number, characters = chinese): string {
  return [...String(number)].map((digit) => characters[Number(digit)] ?? '').join('');
}

export const legalDigits = legal;

/** @param units of ten, hundred, thousand, ten thousand, a hundred million. @param gap is written for zeros within the number. */
function counted(number: number, characters: string, units: string, gap = ''): string {
  if (number === 0) return gap || characters[0]!;
  const [ten, hundred, thousand, tenThousand, large] = units;
  for (const [size, unit] of [
    [1e8, large],
    [1e4, tenThousand],
    [1000, thousand],
    [100, hundred],
    [10, ten],
  ] as const) {
    if (number < size) continue;
    const rest = number % size;
    const tail = rest === 0 ? '' : (rest < size / 10 ? gap : '') + counted(rest, characters, units, gap);
    return counted(Math.floor(number / size), characters, units, gap) + unit + tail;
  }
  return characters[number]!;
}

function fullWidth(number: number): string {
  return String(number).replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
}

function enclosed(first: string, count: number): (number: number) => string {
  return (number) =>
    number > count ? String(number) : String.fromCharCode(first.charCodeAt(0) + number - 1);
}

/** A … Z, AA, BB … */
function repeated(letters: string, number: number): string {
  const times = Math.min(Math.ceil(number / letters.length), 20);
  return letters[(number - 1) % letters.length]!.repeat(times);
}

function cycled(letters: string, number: number): string {
  return letters[(number - 1) % letters.length]!;
}

function roman(number: number): string {
  if (number >= 4000) return String(number);
  let [rest, text] = [number, ''];
  for (const [value, letters] of [
    [1000, 'M'],
    [900, 'CM'],
    [500, 'D'],
    [400, 'CD'],
    [100, 'C'],
    [90, 'XC'],
    [50, 'L'],
    [40, 'XL'],
    [10, 'X'],
    [9, 'IX'],
    [5, 'V'],
    [4, 'IV'],
    [1, 'I'],
  ] as const) {
    text += letters.repeat(Math.floor(rest / value));
    rest %= value;
  }
  return text;
}

function ordinalEnding(number: number): string {
  if (/1[123]$/.test(String(number))) return 'th';
  return ['th', 'st', 'nd', 'rd'][number % 10] ?? 'th';
}

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

function englishWords(number: number): string {
  if (number < 20) return small[number]!;
  if (number < 100)
    return tens[Math.floor(number / 10)]! + (number % 10 === 0 ? '' : `-${small[number % 10]}`);
  if (number >= 1000) return String(number);
  const rest = number % 100;
  return `${small[Math.floor(number / 100)]} hundred${rest === 0 ? '' : ` ${englishWords(rest)}`}`;
}

const irregular: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

function ordinalWords(words: string): string {
  if (/\d$/.test(words)) return words + ordinalEnding(Number(words));
  return words.replace(/[a-z]+$/, (last) => irregular[last] ?? `${last.replace(/y$/, 'ie')}th`);
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
