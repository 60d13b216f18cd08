import { Argument, Command, CommanderError, Option } from 'commander';
import type { CompositionChoice } from '../../contract/compositions.ts';
import type { Language } from '../../contract/language.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { assertSendable, isThisMachine } from '../desk-requests.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { formatUsageError, languageNames, languageOf, languageOption } from '../format-usage-error.ts';
import type { Say } from '../say.ts';
import type { RunDeps } from '../start-program.ts';
import { formatWaiting } from './commands/changes.ts';
import { explain } from './commands/explain.ts';
import { type CommandRow, commands } from './commands.ts';
import { readChoice } from './context/choice.ts';
import type { CommandContext, Work } from './context/command-context.ts';
import { optionOf } from './context/command-options.ts';
import { createOpsClient, WaitsForApproval } from './context/ops-client.ts';
import { plainText } from './context/plain-text.ts';
import { authorOf, type CommonOptions, serverOf, tokenOf, tokenSource } from './context/settings.ts';

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

  async function perform(work: Work, options: CommonOptions): Promise<void> {
    try {
      work.assertFit?.();
      const server = serverOf(options, env, say);
      const token = await tokenOf(server, options, env, say);
      assertSendable(token, tokenSource(options, env), language);
      const context: CommandContext = {
        client: createOpsClient({ server, token, language, say }),
        token,
        say,
        language,
        now: now(),
        author: authorOf(options, env),
        env,
        answer: (body, text) => out(`${options.json ? JSON.stringify(body, null, 2) : plainText(text())}\n`),
        progress: (text) => options.json || err(`${plainText(text)}\n`),
      };
      if (server.startsWith('http:') && !isThisMachine(server))
        context.progress(say('plainHttp', { server }));
      exitCode = await performed(work, context, tokenSource(options, env));
    } catch (thrown) {
      if (!(thrown instanceof CommandFailure)) throw thrown;
      fail(thrown, options.json);
      exitCode = thrown.exitCode;
    }
  }

  function fail({ body, message }: CommandFailure, asJson = false): void {
    err(asJson ? `${JSON.stringify(body)}\n` : `${plainText(message)}\n`);
  }

  const program = createProgram({ say, language, perform, out, err });
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    // Commander has already printed the help of a command group.
    if (thrown.code === 'commander.help') return 2;
    const seeHelp = say('usageSeeHelp', { command: commandIn(program, argv) });
    fail(new CommandFailure(2, `${formatUsageError(thrown, language)}\n${seeHelp}`), argv.includes('--json'));
    return 2;
  }
}

async function performed(work: Work, context: CommandContext, tokenFrom: string): Promise<number> {
  try {
    return (await work.run(context)) === 1 ? 1 : 0;
  } catch (thrown) {
    if (thrown instanceof WaitsForApproval) {
      context.answer({ change: thrown.change }, () => formatWaiting(thrown.change, context));
      return REQUESTED;
    }
    if (!(thrown instanceof Refused)) throw thrown;
    throw await explain(
      thrown,
      { choice: choiceOf(work, context.say), tokenFrom, seeAlso: work.seeAlso },
      context,
    );
  }
}

function choiceOf({ named = [], without = [] }: Work, say: Say): CompositionChoice | undefined {
  return named.length === 0 ? undefined : readChoice(named, without, say);
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
  perform(work: Work, options: CommonOptions): Promise<void>;
  out(text: string): void;
  err(text: string): void;
}

/** Width of help text in columns: most examples fit on one line. */
const HELP_WIDTH = 118;

/** Defines the whole command line from the table of commands. Throws `CommanderError` on invalid usage. */
function createProgram({ say, language, perform, out, err }: ProgramDeps): Command {
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
