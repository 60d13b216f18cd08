import { type CommanderError, InvalidArgumentError } from 'commander';
import { type Language, languages } from '../contract/language.ts';
import { languageOfLocale } from '../i18n/language-of-locale.ts';
import { listOf, type Text, textsOf } from '../i18n/texts-of.ts';

const textOf = textsOf('cli-usage');

/** Commander's codes that have a message here, without their prefix. */
const known = [
  'unknownOption',
  'unknownCommand',
  'missingArgument',
  'optionMissingArgument',
  'missingMandatoryOptionValue',
  'excessArguments',
] as const;

/** In one or two lines and the command's language: commander's own messages are only in English. */
export function formatUsageError({ code, message }: CommanderError, language: Language): string {
  // The parser of the value has already given a full message; commander only adds the name of the option.
  if (code === 'commander.invalidArgument')
    return message.replace(/^error: .*? is invalid(?: for argument '[^']*')?\. /s, '');
  const name = /'([^']*)'/.exec(message)?.[1] ?? '';
  const key = known.find((one) => code === `commander.${one}`);
  const text = key ? textOf(key, { name })(language) : message.replace(/^error: /, '');
  const alike = /\(Did you mean (?:one of )?(.*?)\?\)/.exec(message)?.[1];
  return alike ? `${text}\n${textOf('didYouMean', { name: alike })(language)}` : text;
}

export const languageNames: Text = listOf(languages, 'or');

/** Parses --lang, which may be a locale. */
export function languageOption(language: Language): (given: string) => string {
  return (given) => {
    if (languageOfLocale(given)) return given;
    throw new InvalidArgumentError(
      textOf('badLanguage', { languages: languageNames, name: given })(language),
    );
  };
}

/** --lang, then the locale variables in their usual order; English unless there are texts in its language. */
export function languageOf(argv: readonly string[], env: Record<string, string | undefined>): Language {
  const at = argv.findIndex((word) => word === '--lang' || word.startsWith('--lang='));
  const asked = argv[at]?.includes('=') ? argv[at].slice('--lang='.length) : argv[at + 1];
  const locale = at >= 0 ? asked : env.LC_ALL || env.LC_MESSAGES || env.LANG;
  return languageOfLocale(locale ?? '') ?? 'en';
}
