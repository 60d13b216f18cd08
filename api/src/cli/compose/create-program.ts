import { Command, InvalidArgumentError, Option } from 'commander';
import type { Language } from '../../contract/language.ts';
import { languageOption } from '../format-usage-error.ts';
import { canaryStatus, endCanary, shareCanary, startCanary } from './canary.ts';
import { check } from './check.ts';
import { readChoice } from './choice.ts';
import type { CommandContext } from './command-context.ts';
import { diff } from './diff.ts';
import { history } from './history.ts';
import { list } from './list.ts';
import type { Say } from './messages.ts';
import { type OverrideOptions, override } from './override.ts';
import { releases } from './releases.ts';
import { resolveStack } from './resolve-stack.ts';
import { rollback } from './rollback.ts';
import { type SetOptions, set } from './set.ts';
import type { CommonOptions } from './settings.ts';
import { show } from './show.ts';

/** The work of a command, with its context for error messages. */
export interface Work {
  /** Throws if the arguments are invalid, before the server is contacted. */
  assertFit?(): void;
  /** Resolves to an `Outcome`; undefined means 0. */
  run(context: CommandContext): Promise<unknown>;
  /** The releases or the composition given as arguments. */
  named?: readonly string[];
  without?: readonly string[];
}

export interface ProgramDeps {
  say: Say;
  language: Language;
  /** Runs the work of the chosen command with the common options. */
  perform(work: Work, options: CommonOptions): Promise<void>;
  out(text: string): void;
  err(text: string): void;
}

interface ChoiceOptions {
  without?: string[];
  allowWeakerGuard?: boolean;
}
interface PageOptions {
  limit?: number;
  cursor?: string;
}

/** Width of help text in columns: most examples fit on one line. */
const HELP_WIDTH = 118;

/**
 * Defines the whole command line: commands, arguments, options and help. Throws `CommanderError` on invalid
 * usage.
 */
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
    .addOption(new Option('--lang <language>', say('helpLang')).argParser(languageOption(language)))
    .helpOption('-h, --help', say('helpHelp'))
    .helpCommand(false)
    .configureHelp({
      showGlobalOptions: true,
      helpWidth: HELP_WIDTH,
      styleTitle: (title) => titles[title] ?? title,
    })
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => undefined })
    .exitOverride();

  /** Adds a subcommand that inherits the program's settings for help and exit. */
  const add = (name: string, description: string, parent = program) =>
    parent.command(name).description(description).helpOption('-h, --help', say('helpHelp'));

  const perform_ = (command: Command, work: Work) => perform(work, command.optsWithGlobals<CommonOptions>());
  const chosen = (
    named: string[],
    { without = [], allowWeakerGuard = false }: ChoiceOptions,
    run: (context: CommandContext, choice: ReturnType<typeof readChoice>) => Promise<unknown>,
  ): Work => ({
    named,
    without,
    assertFit: () => void readChoice(named, without, say),
    run: (context) =>
      run(context, { ...readChoice(named, without, say), ...(allowWeakerGuard ? { allowWeakerGuard } : {}) }),
  });

  const limit = new Option('--limit <count>', say('helpLimit')).argParser(
    wholeNumber('--limit', 1, 100, say),
  );
  const share = () =>
    new Option('--share <percent>', say('helpShareOption')).argParser(percent('--share', say));
  const without = () =>
    new Option('--without <remote>', say('helpWithout')).argParser((name: string, before: string[] = []) => [
      ...before,
      name,
    ]);

  add('list', say('helpListCommand'))
    .addOption(limit)
    .option('--cursor <cursor>', say('helpCursor'))
    .action((options: PageOptions, command: Command) =>
      perform_(command, { run: (context) => list(context, options) }),
    );

  add('show', say('helpShowCommand'))
    .argument('[composition]')
    .action((id: string | undefined, _: object, command: Command) =>
      perform_(command, { named: id ? [id] : [], run: (context) => show(context, id) }),
    );

  add('releases', say('helpReleasesCommand'))
    .argument('[name]')
    .addOption(limit)
    .option('--cursor <cursor>', say('helpCursor'))
    .action((name: string | undefined, options: PageOptions, command: Command) =>
      perform_(command, {
        named: name?.includes('@') ? [name] : [],
        run: (context) => releases(context, name, { ...options }),
      }),
    );

  add('check', say('helpCheckCommand'))
    .argument('[releases...]', say('helpChoice'))
    .addOption(without())
    .option('--allow-weaker-guard', say('helpAllowWeakerGuard'))
    .option('--smoke', say('helpSmoke'))
    .action((named: string[], options: ChoiceOptions & { smoke?: boolean }, command: Command) =>
      perform_(
        command,
        chosen(named, options, (context, choice) => check(context, choice, options)),
      ),
    );

  add('set', say('helpSetCommand'))
    .argument('[releases...]', say('helpChoice'))
    .addOption(without())
    .option('--allow-weaker-guard', say('helpAllowWeakerGuard'))
    .option('--reason <text>', say('helpReason'))
    .option('--dry-run', say('helpDryRun'))
    .option('--smoke', say('helpSmoke'))
    .action((named: string[], options: ChoiceOptions & SetOptions, command: Command) =>
      perform_(
        command,
        chosen(named, options, (context, choice) => set(context, choice, options)),
      ),
    );

  add('remove', say('helpRemoveCommand'))
    .argument('<remotes...>')
    .option('--reason <text>', say('helpReason'))
    .option('--dry-run', say('helpDryRun'))
    .action((names: string[], options: SetOptions, command: Command) =>
      perform_(
        command,
        chosen([], { without: names }, (context, choice) => set(context, choice, options)),
      ),
    );

  add('diff', say('helpDiffCommand'))
    .argument('[from]')
    .argument('[to]')
    .action((from: string | undefined, to: string | undefined, _: object, command: Command) =>
      perform_(command, { run: (context) => diff(context, from, to) }),
    );

  add('resolve-stack', say('helpResolveStackCommand'))
    .argument('[file]')
    .action((file: string | undefined, _: object, command: Command) =>
      perform_(command, { run: (context) => resolveStack(context, file) }),
    );

  add('rollback', say('helpRollbackCommand'))
    .argument('[to]')
    .option('--reason <text>', say('helpReason'))
    .action((to: string | undefined, options: { reason?: string }, command: Command) =>
      perform_(command, { named: to ? [to] : [], run: (context) => rollback(context, to, options) }),
    );

  add('history', say('helpHistoryCommand'))
    .addOption(limit)
    .option('--cursor <cursor>', say('helpCursor'))
    .action((options: PageOptions, command: Command) =>
      perform_(command, { run: (context) => history(context, options) }),
    );

  const canary = add('canary', say('helpCanaryCommand')).helpCommand(false);
  add('start', say('helpCanaryStart'), canary)
    .argument('[releases...]', say('helpChoice'))
    .addOption(without())
    .addOption(share().makeOptionMandatory())
    .option('--allow-weaker-guard', say('helpAllowWeakerGuard'))
    .option('--reason <text>', say('helpReason'))
    .option('--smoke', say('helpSmoke'))
    .action(
      (
        named: string[],
        options: ChoiceOptions & { share: number; reason?: string; smoke?: boolean },
        command: Command,
      ) =>
        perform_(
          command,
          chosen(named, options, (context, choice) => startCanary(context, choice, options)),
        ),
    );
  add('share', say('helpCanaryShare'), canary)
    .argument('<percent>', say('helpShareOption'), percent('percent', say))
    .option('--reason <text>', say('helpReason'))
    .action((percent: number, options: { reason?: string }, command: Command) =>
      perform_(command, { run: (context) => shareCanary(context, percent, options) }),
    );
  add('status', say('helpCanaryStatus'), canary).action((_: object, command: Command) =>
    perform_(command, { run: canaryStatus }),
  );
  for (const how of ['promote', 'abort'] as const)
    add(how, say(how === 'promote' ? 'helpCanaryPromote' : 'helpCanaryAbort'), canary)
      .option('--reason <text>', say('helpReason'))
      .action((options: { reason?: string }, command: Command) =>
        perform_(command, { run: (context) => endCanary(context, how, options) }),
      );

  add('override', say('helpOverrideCommand'))
    .argument('[remote]')
    .argument('[address]')
    .option('--composition <id>', say('helpOverrideComposition'))
    .addOption(
      new Option('--minutes <count>', say('helpMinutes')).argParser(wholeNumber('--minutes', 1, 480, say)),
    )
    .action(
      (remote: string | undefined, address: string | undefined, options: OverrideOptions, command: Command) =>
        perform_(command, {
          named: options.composition ? [options.composition] : [],
          run: (context) => override(context, remote, address, options),
        }),
    );

  return program;
}

/** Parses a percentage of visitors; fractions are allowed. */
function percent(name: string, say: Say): (given: string) => number {
  return numberWithin({ name, min: 0, max: 100, form: /^\d{1,3}(\.\d{1,2})? ?%?$/ }, say);
}

function wholeNumber(name: string, min: number, max: number, say: Say): (given: string) => number {
  return numberWithin({ name, min, max, form: /^\d{1,4}$/ }, say);
}

function numberWithin(
  { name, min, max, form }: { name: string; min: number; max: number; form: RegExp },
  say: Say,
): (given: string) => number {
  return (given) => {
    const value = form.test(given) ? Number.parseFloat(given) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(say('badNumber', { name, min, max, given }));
  };
}
