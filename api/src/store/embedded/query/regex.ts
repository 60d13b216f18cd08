import type { BSONRegExp } from 'bson';
import { kindOf, type Value } from '../bson/values.ts';
import { badValue, StoreError, unsupported } from '../errors.ts';

/**
 * A JavaScript expression that matches exactly what the same text matches in MongoDB's PCRE (UTF-8, ASCII
 * classes). What the two read differently is written anew; what JavaScript cannot say is refused.
 */
export function toRegExp(operand: Value, optionsOperand?: Value): RegExp {
  const isRegex = kindOf(operand) === 'regex';
  const pattern = isRegex ? (operand as BSONRegExp).pattern : (operand as string);
  const options =
    optionsOperand === undefined ? (isRegex ? (operand as BSONRegExp).options : '') : optionsOperand;
  const flags = new Set(options as string);
  for (const flag of flags) {
    if (flag === 'x') throw unsupported('the regular expression option x');
    if (!'ims'.includes(flag)) throw new StoreError(51108, `invalid flag in regex options: ${flag}`);
  }
  if (pattern.includes('\0')) throw badValue('Regular expression cannot contain an embedded null byte');
  const source = translate(pattern, flags);
  try {
    return new RegExp(source, flags.has('i') ? 'iu' : 'u');
  } catch (error) {
    throw new StoreError(51091, `Regular expression is invalid: ${(error as Error).message}`);
  }
}

const CLASSES: Record<string, string> = { d: '0-9', w: 'A-Za-z0-9_', s: ' \\t\\n\\v\\f\\r' };
const WORD = '[A-Za-z0-9_]';
const BOUNDARY = `(?:(?<=${WORD})(?!${WORD})|(?<!${WORD})(?=${WORD}))`;
const NO_BOUNDARY = `(?:(?<=${WORD})(?=${WORD})|(?<!${WORD})(?!${WORD}))`;
const ESCAPED_PUNCTUATION = /[\\^$.*+?()[\]{}|/-]/;

function translate(pattern: string, flags: Set<string>): string {
  let out = '';
  for (let i = 0; i < pattern.length; i++) {
    const char = pattern[i] as string;
    if (char === '\\') out += outsideEscape(pattern[++i]);
    else if (char === '[') {
      const end = classEnd(pattern, i);
      out += translateClass(pattern.slice(i + 1, end));
      i = end;
    } else if (char === '(') {
      const opening = /^\((\?(:|=|!|<=|<!))?/.exec(pattern.slice(i))?.[0] as string;
      if (pattern[i + 1] === '?' && opening === '(') refuse(pattern.slice(i, i + 4));
      if (pattern[i + 1] === '*') refuse('(*');
      out += opening;
      i += opening.length - 1;
    } else if (char === '.') out += flags.has('s') ? '[\\s\\S]' : '[^\\n]';
    else if (char === '^') out += flags.has('m') ? '(?<![^\\n])' : '(?<![\\s\\S])';
    else if (char === '$') out += flags.has('m') ? '(?![^\\n])' : '(?=\\n?(?![\\s\\S]))';
    else if ('*+?'.includes(char) && pattern[i + 1] === '+') refuse(`${char}+`);
    else if (char === '}' || char === ']') out += `\\${char}`;
    else if (char === '{') {
      const quantifier = /^\{\d+(,\d*)?\}/.exec(pattern.slice(i))?.[0];
      if (quantifier && pattern[i + quantifier.length] === '+') refuse(`${quantifier}+`);
      out += quantifier ?? '\\{';
      i += (quantifier?.length ?? 1) - 1;
    } else out += char === '/' ? '\\/' : char;
  }
  return out;
}

function outsideEscape(char: string | undefined): string {
  if (char === undefined) throw new StoreError(51091, 'Regular expression is invalid: \\ at end of pattern');
  const lower = char.toLowerCase();
  if (lower === 'b') return char === 'b' ? BOUNDARY : NO_BOUNDARY;
  if (CLASSES[lower]) return `[${char === lower ? '' : '^'}${CLASSES[lower]}]`;
  return escaped(char);
}

function escaped(char: string): string {
  if ('tnrf'.includes(char)) return `\\${char}`;
  if (ESCAPED_PUNCTUATION.test(char)) return char === '-' ? '\\u002d' : `\\${char}`;
  if (/[A-Za-z0-9]/.test(char)) return refuse(`\\${char}`);
  return char;
}

function classEnd(pattern: string, start: number): number {
  let i = start + 1;
  if (pattern[i] === '^') i++;
  if (pattern[i] === ']') refuse('a ] that begins a class');
  for (; i < pattern.length; i++) {
    if (pattern[i] === '\\') i++;
    else if (pattern[i] === '[') refuse('[ within a class');
    else if (pattern[i] === ']') return i;
  }
  throw new StoreError(51091, 'Regular expression is invalid: missing terminating ] for character class');
}

function translateClass(content: string): string {
  let out = '[';
  for (let i = 0; i < content.length; i++) {
    const char = content[i] as string;
    if (char !== '\\') {
      out += '{}()|/$.*+?'.includes(char) ? `\\${char}` : char;
      continue;
    }
    const next = content[++i] as string;
    if (CLASSES[next]) out += CLASSES[next];
    else if (CLASSES[next.toLowerCase()] || next === 'b') refuse(`\\${next} within a class`);
    else out += escaped(next);
  }
  return `${out}]`;
}

function refuse(what: string): never {
  throw unsupported(`${what} in a regular expression`);
}
