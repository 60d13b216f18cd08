import { Argument, Command, Option } from 'commander';
import type { Language } from '../../contract/language.ts';
import { languageNames, languageOption } from '../format-usage-error.ts';
import type { Say } from '../say.ts';
import { readChoice } from './choice.ts';
import type { CommandContext, Work } from './command-context.ts';
import { optionOf } from './command-options.ts';
import { type CommandRow, commands } from './commands.ts';
import type { CommonOptions } from './settings.ts';

export interface ProgramDeps {
  say: Say;
  language: Language;
  /** Runs the work of the chosen command with the common options. */
  perform(work: Work, options: CommonOptions): Promise<void>;
  out(text: string): void;
  err(text: string): void;
}

/** Width of help text in columns: most examples fit on one line. */
const HELP_WIDTH = 118;

/** Defines the whole command line from the table of commands. Throws `CommanderError` on invalid usage. */
export function createProgram({ say, language, perform, out, err }: ProgramDeps): Command {
  const program = new Command('compose');
  const titles: Record<string, string> = {
    'Usage:': say('helpUsage'),
    'Arguments:': say('helpArguments'),
    'Options:': say('helpOptions'),
    'Global Options:': say('helpGlobal'),
    'Commands:': say('helpCommands'),
  };
  program
    .usage('<command> [options]')
    .description(say('helpProgram'))
    .addHelpText('after', `\n${say('helpAbout')}`)
    .option('--server <url>', say('helpServer'))
    .option('--token <token>', say('helpToken'))
    .option('--author <name>', say('helpAuthor'))
    .option('--json', say('helpJson'))
    .addOption(
      new Option('--lang <language>', say('helpLang', { languages: languageNames })).argParser(
        languageOption(language),
      ),
    )
    .helpOption('-h, --help', say('helpHelp'))
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: HELP_WIDTH,
      styleTitle: (title) => titles[title] ?? title,
    })
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => undefined })
    .exitOverride();
  for (const row of commands) add(row, program);
  return program;

  /** Adds a command that inherits the program's settings for help and exit. */
  function add(row: CommandRow, parent: Command): void {
    const command = parent
      .command(row.name)
      .description(say(row.help))
      .helpOption('-h, --help', say('helpHelp'));
    if (row.about) command.addHelpText('after', say(row.about));
    for (const [syntax, help, parser] of row.args ?? []) {
      const argument = new Argument(syntax, help && say(help));
      command.addArgument(
        parser ? argument.argParser<unknown>((given) => parser(say, argument.name())(given)) : argument,
      );
    }
    for (const option of row.options ?? []) command.addOption(optionOf(option, say));
    if (row.commands) {
      command.helpCommand(false);
      for (const one of row.commands) add(one, command);
      return;
    }
    command.action((...all: unknown[]) => {
      // Commander adds the command itself.
      const given = all.slice(0, -1);
      const common = command.optsWithGlobals<CommonOptions>();
      return perform(workOf(row, given), { ...common, ...row.common?.(...given) });
    });
  }

  function workOf(row: CommandRow, given: unknown[]): Work {
    const { chooses, named, seeAlso } = row;
    const fits = () => row.assertFit?.(say, ...given);
    const run = (context: CommandContext, ...rest: unknown[]) => row.run!(context, ...rest);
    if (!chooses)
      return {
        named: (named?.(...given) ?? []).filter((name) => name !== undefined && name !== '') as string[],
        ...(seeAlso && { seeAlso }),
        assertFit: fits,
        run: (context) => run(context, ...given),
      };
    const [listed, options] = given as [string[], { without?: string[]; allowWeakerGuard?: boolean }];
    const { without = [], allowWeakerGuard = false } = options;
    const chosen = chooses === 'releases' ? { named: listed, without } : { named: [], without: listed };
    const choice = () => readChoice(chosen.named, chosen.without, say);
    return {
      ...chosen,
      assertFit() {
        choice();
        fits();
      },
      run: (context) =>
        run(context, { ...choice(), ...(allowWeakerGuard ? { allowWeakerGuard } : {}) }, options),
    };
  }
}
