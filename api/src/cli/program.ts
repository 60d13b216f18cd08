import { Command, CommanderError, InvalidArgumentError } from 'commander';
import { type Language, languages } from '../contract/language.ts';
import { languageOfLocale, listOf, type Text, textsOf } from '../i18n/texts-of.ts';
import type { RunDeps } from './run-deps.ts';

const textOf = textsOf('cli-usage');

/** A program with the settings that all have in common. */
export function createProgram(name: string, { out, err }: Pick<RunDeps, 'out' | 'err'>): Command {
  return new Command(name)
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => undefined })
    .exitOverride();
}

/**
 * Performs the command that `argv` names. Resolves to the exit code after help and for invalid usage, about which `refuse` gets a message;
 * undefined after the command.
 */
export async function runProgram(
  program: Command,
  argv: readonly string[],
  language: Language,
  refuse: (message: string) => void,
): Promise<0 | 2 | undefined> {
  try {
    await program.parseAsync(argv, { from: 'user' });
    return undefined;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    // Commander has already printed the help of a command group.
    if (thrown.code !== 'commander.help') refuse(formatUsageError(thrown, language));
    return 2;
  }
}

/** Commander's codes that have a message here, without their prefix. */
const known = [
  'unknownOption',
  'unknownCommand',
  'missingArgument',
  'optionMissingArgument',
  'missingMandatoryOptionValue',
  'excessArguments',
] as const;

/** A usage error in one or two lines, in the command's language: commander's own messages exist only in English. */
function formatUsageError({ code, message }: CommanderError, language: Language): string {
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
