import { Argument, type Command, Option } from 'commander';
import type { CompositionChoice } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { isPlainHttp } from '../desk-settings.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { createProgram, languageNames, languageOf, languageOption, runProgram } from '../program.ts';
import type { RunDeps } from '../run-deps.ts';
import { formatWaiting } from './commands/changes.ts';
import { type About, explain } from './commands/explain.ts';
import { type CommandRow, commands } from './commands.ts';
import { type CommandContext, readChoice } from './context/command-context.ts';
import { optionOf } from './context/command-options.ts';
import { plainText, type Say } from './context/format.ts';
import { authorOf, type CommonOptions, openDesk, WaitsForApproval } from './context/ops-client.ts';

export interface RunComposeDeps extends RunDeps {
  now(): Date;
}

/** Exit code of a change that waits for a second token: a pipeline must not take it for done. */
const REQUESTED = 4;

/** Runs one command and resolves to its exit code; errors have been printed. */
export async function runCompose({ argv, env, out, err, now }: RunComposeDeps): Promise<number> {
  const language = languageOf(argv, env);
  const say = createSay('cli-compose', language);
  let exitCode = 0;

  async function perform(row: CommandRow, given: unknown[], options: CommonOptions): Promise<void> {
    try {
      const chosen = row.chooses && choiceIn(row.chooses, given, say);
      row.assertFit?.(say, ...given);
      const { client, token } = await openDesk(options, { env, say, language });
      const { server } = client;
      const context: CommandContext = {
        client,
        token: token.value,
        say,
        language,
        now: now(),
        author: authorOf(options, env),
        env,
        answer: (body, text) => out(`${options.json ? JSON.stringify(body, null, 2) : plainText(text())}\n`),
        progress: (text) => options.json || err(`${plainText(text)}\n`),
      };
      if (isPlainHttp(server)) context.progress(say('plainHttp', { server }));
      const run = () => (chosen ? row.run!(context, chosen, given[1]) : row.run!(context, ...given));
      const about = { choice: choiceNamed(row, given, say), tokenFrom: token.from, seeAlso: row.seeAlso };
      exitCode = await exitCodeOf(run, context, about);
    } catch (thrown) {
      if (!(thrown instanceof CommandFailure)) throw thrown;
      fail(thrown, options.json);
      exitCode = thrown.exitCode;
    }
  }

  function fail({ body, message }: CommandFailure, asJson = false): void {
    err(asJson ? `${JSON.stringify(body)}\n` : `${plainText(message)}\n`);
  }

  const program = describeProgram(createProgram('compose', { out, err }), { say, language, perform });
  if (argv.length === 0) {
    program.outputHelp({ error: true });
    return 2;
  }
  const ended = await runProgram(program, argv, language, (message) => {
    const seeHelp = say('usageSeeHelp', { command: commandIn(program, argv) });
    fail(new CommandFailure(2, `${message}\n${seeHelp}`), argv.includes('--json'));
  });
  return ended ?? exitCode;
}

async function exitCodeOf(run: () => Promise<unknown>, context: CommandContext, about: About) {
  try {
    return (await run()) === 1 ? 1 : 0;
  } catch (thrown) {
    if (thrown instanceof WaitsForApproval) {
      context.answer({ change: thrown.change }, () => formatWaiting(thrown.change, context));
      return REQUESTED;
    }
    if (!(thrown instanceof Refused)) throw thrown;
    throw await explain(thrown, about, context);
  }
}

/** The choice that the first argument and the options make. Throws if it is invalid. */
function choiceIn(by: 'releases' | 'without', given: unknown[], say: Say): CompositionChoice {
  const [listed, options] = given as [string[], { without?: string[]; allowWeakerGuard?: boolean }];
  const { without = [], allowWeakerGuard = false } = options;
  const choice = by === 'releases' ? readChoice(listed, without, say) : readChoice([], listed, say);
  return { ...choice, ...(allowWeakerGuard ? { allowWeakerGuard } : {}) };
}

/** The releases or the composition that the arguments name, for messages; undefined if they name none. */
function choiceNamed({ chooses, named }: CommandRow, given: unknown[], say: Say) {
  if (chooses)
    return chooses === 'releases' && (given[0] as string[]).length > 0
      ? choiceIn(chooses, given, say)
      : undefined;
  const names = (named?.(...given) ?? []).filter((name) => name !== undefined && name !== '') as string[];
  return names.length > 0 ? readChoice(names, [], say) : undefined;
}

/** The command that was meant, for messages: `canary start `, or '' for the whole program. */
function commandIn(program: Command, argv: readonly string[]): string {
  let at = program;
  let path = '';
  for (const word of argv) {
    const next = at.commands.find((command) => command.name() === word);
    if (!next) continue;
    at = next;
    path += `${word} `;
  }
  return path;
}

interface ProgramDeps {
  say: Say;
  language: Language;
  perform(row: CommandRow, given: unknown[], options: CommonOptions): Promise<void>;
}

/** Width of help text in columns: most examples fit on one line. */
const HELP_WIDTH = 118;

/** Defines the whole command line from the table of commands. */
function describeProgram(program: Command, { say, language, perform }: ProgramDeps): Command {
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
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: HELP_WIDTH,
      styleTitle: (title) => titles[title] ?? title,
    });
  addAll(commands, program);
  return program;

  function addAll(rows: typeof commands, parent: Command): void {
    for (const [name, row] of Object.entries(rows)) add(name, row, parent);
  }

  /** Adds a command that inherits the program's settings for help and exit. */
  function add(name: string, row: CommandRow, parent: Command): void {
    const command = parent.command(name).description(say(row.help)).helpOption('-h, --help', say('helpHelp'));
    if (row.about) command.addHelpText('after', say(row.about));
    for (const [syntax, help, parser] of row.args ?? []) {
      const argument = new Argument(syntax, help && say(help));
      const about = { say, name: argument.name() };
      command.addArgument(parser ? argument.argParser<unknown>((given) => parser(given, about)) : argument);
    }
    for (const option of row.options ?? []) command.addOption(optionOf(option, say));
    if (row.commands) {
      command.helpCommand(false);
      addAll(row.commands, command);
      return;
    }
    command.action((...all: unknown[]) => {
      // Commander adds the command itself.
      const given = all.slice(0, -1);
      const common = command.optsWithGlobals<CommonOptions>();
      return perform(row, given, { ...common, ...row.common?.(...given) });
    });
  }
}
