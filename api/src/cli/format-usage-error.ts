import { type CommanderError, InvalidArgumentError } from 'commander';
import type { Language } from '../contract/language.ts';

const words = {
  'commander.unknownOption': ['没有选项 {name}', 'there is no option {name}'],
  'commander.unknownCommand': ['没有命令 {name}', 'there is no command {name}'],
  'commander.missingArgument': ['缺少参数 {name}', 'the argument {name} is missing'],
  'commander.optionMissingArgument': ['选项 {name} 需要一个值', 'the option {name} needs a value'],
  'commander.missingMandatoryOptionValue': ['必须给出选项 {name}', 'the option {name} is required'],
  'commander.excessArguments': ['参数过多', 'there are too many arguments'],
  didYouMean: ['（是否想写 {name}？）', '(Did you mean {name}?)'],
  badLanguage: ['--lang 应为 zh 或 en，实际是 "{name}"', '--lang must be zh or en, got "{name}"'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

/**
 * Commander's usage error in one or two lines, in either language: commander's own messages are only in
 * English.
 */
export function formatUsageError({ code, message }: CommanderError, language: Language): string {
  // The parser of the value has already given a full message; commander only adds the name of the option.
  if (code === 'commander.invalidArgument')
    return message.replace(/^error: .*? is invalid(?: for argument '[^']*')?\. /s, '');
  const told = isKnown(code)
    ? fill(code, /'([^']*)'/.exec(message)?.[1] ?? '', language)
    : message.replace(/^error: /, '');
  const alike = /\(Did you mean (?:one of )?(.*?)\?\)/.exec(message)?.[1];
  return alike ? `${told}\n${fill('didYouMean', alike, language)}` : told;
}

/** Parses --lang, which may be a locale. */
export function languageOption(language: Language): (given: string) => string {
  return (given) => {
    if (/^(zh|en)/i.test(given)) return given;
    throw new InvalidArgumentError(fill('badLanguage', given, language));
  };
}

function isKnown(code: string): code is keyof typeof words {
  return Object.hasOwn(words, code);
}

function fill(key: keyof typeof words, name: string, language: Language): string {
  return words[key][language === 'en' ? 1 : 0].replace('{name}', () => name);
}
