import { Command, InvalidArgumentError, Option } from 'commander';
import type { Language } from '../../contract/language.ts';
import { languageOption } from '../format-usage-error.ts';
import {
  assertShare,
  type CanaryAction,
  canaryStatus,
  changeCanary,
  type StartOptions,
  shareCanary,
  startCanary,
} from './canary.ts';
import { check } from './check.ts';
import { assertRelease, readChoice } from './choice.ts';
import type { CommandContext, Work } from './command-context.ts';
import { diff } from './diff.ts';
import { addEnvironmentCommands } from './environment-commands.ts';
import { health } from './health.ts';
import { history } from './history.ts';
import { list } from './list.ts';
import type { Say } from './messages.ts';
import { type OverrideOptions, override } from './override.ts';
import { releases } from './releases.ts';
import { resolveStack } from './resolve-stack.ts';
import { freeze, pin, unfreeze, unpin } from './restrict.ts';
import { rollback } from './rollback.ts';
import { type SetOptions, set } from './set.ts';
import type { CommonOptions } from './settings.ts';
import { show } from './show.ts';
import { addTokenCommands } from './token-commands.ts';
import { addWebhookCommands } from './webhook-commands.ts';
import { yank } from './yank.ts';

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
interface NoteOptions {
  reason?: string;
  ifRevision?: number;
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

  const perform_ = (command: Command, work: Work, more: CommonOptions = {}) =>
    perform(work, { ...command.optsWithGlobals<CommonOptions>(), ...more });
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
  const ifRevision = () =>
    new Option('--if-revision <number>', say('helpIfRevision')).argParser(
      numberWithin({ name: '--if-revision', min: 0, max: 999_999_999, form: /^\d{1,9}$/ }, say),
    );
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
    .addOption(ifRevision())
    .option('--dry-run', say('helpDryRun'))
    .option('--smoke', say('helpSmoke'))
    .option('--watch', say('helpWatch'))
    .addOption(
      new Option('--watch-minutes <count>', say('helpWatchMinutes')).argParser(
        wholeNumber('--watch-minutes', 1, 1440, say),
      ),
    )
    .action((named: string[], options: ChoiceOptions & SetOptions, command: Command) =>
      perform_(
        command,
        chosen(named, options, (context, choice) => set(context, choice, options)),
      ),
    );

  add('remove', say('helpRemoveCommand'))
    .argument('<remotes...>')
    .option('--reason <text>', say('helpReason'))
    .addOption(ifRevision())
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
    .addOption(ifRevision())
    .option('--force', say('helpForce'))
    .action((to: string | undefined, options: NoteOptions & { force?: boolean }, command: Command) =>
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
    .addOption(new Option('--share <percent>', say('helpShareOption')).argParser(percent('--share', say)))
    .addOption(new Option('--steps <list>', say('helpSteps')).argParser(steps(say)))
    .addOption(new Option('--every <duration>', say('helpEvery')).argParser(seconds('--every', say)))
    .addOption(
      new Option('--min-pages <count>', say('helpMinPages')).argParser(
        numberWithin({ name: '--min-pages', min: 1, max: 1_000_000, form: /^\d{1,7}$/ }, say),
      ),
    )
    .option('--allow-weaker-guard', say('helpAllowWeakerGuard'))
    .option('--reason <text>', say('helpReason'))
    .addOption(ifRevision())
    .option('--smoke', say('helpSmoke'))
    .action((named: string[], options: ChoiceOptions & StartOptions, command: Command) => {
      const work = chosen(named, options, (context, choice) => startCanary(context, choice, options));
      return perform_(command, {
        ...work,
        assertFit() {
          work.assertFit?.();
          assertShare(options, say);
        },
      });
    });
  add('share', say('helpCanaryShare'), canary)
    .argument('<percent>', say('helpShareOption'), percent('percent', say))
    .argument('[remote]', say('helpCanaryName'))
    .option('--reason <text>', say('helpReason'))
    .addOption(ifRevision())
    .action((percent: number, remote: string | undefined, options: NoteOptions, command: Command) =>
      perform_(command, { run: (context) => shareCanary(context, percent, remote, options) }),
    );
  add('status', say('helpCanaryStatus'), canary).action((_: object, command: Command) =>
    perform_(command, { run: canaryStatus }),
  );
  const actions = {
    pause: 'helpCanaryPause',
    resume: 'helpCanaryResume',
    promote: 'helpCanaryPromote',
    abort: 'helpCanaryAbort',
  } as const;
  for (const action of Object.keys(actions) as CanaryAction[])
    add(action, say(actions[action]), canary)
      .argument('[remote]', say('helpCanaryName'))
      .option('--reason <text>', say('helpReason'))
      .addOption(ifRevision())
      .action((remote: string | undefined, options: NoteOptions, command: Command) =>
        perform_(command, { run: (context) => changeCanary(context, action, remote, options) }),
      );

  add('freeze', say('helpFreezeCommand'))
    .addOption(
      new Option('--until <time>', say('helpUntil'))
        .argParser(futureTime('--until', say))
        .makeOptionMandatory(),
    )
    .requiredOption('--reason <text>', say('helpReasonRequired'))
    .addOption(ifRevision())
    .action((options: NoteOptions & { until: Date }, command: Command) =>
      perform_(command, { run: (context) => freeze(context, options) }),
    );
  add('unfreeze', say('helpUnfreezeCommand'))
    .option('--reason <text>', say('helpReason'))
    .addOption(ifRevision())
    .action((options: NoteOptions, command: Command) =>
      perform_(command, { run: (context) => unfreeze(context, options) }),
    );
  add('pin', say('helpPinCommand'))
    .argument('<remote>')
    .requiredOption('--reason <text>', say('helpReasonRequired'))
    .addOption(ifRevision())
    .action((remote: string, options: NoteOptions, command: Command) =>
      perform_(command, { run: (context) => pin(context, remote, options) }),
    );
  add('unpin', say('helpUnpinCommand'))
    .argument('<remote>')
    .option('--reason <text>', say('helpReason'))
    .addOption(ifRevision())
    .action((remote: string, options: NoteOptions, command: Command) =>
      perform_(command, { run: (context) => unpin(context, remote, options) }),
    );

  add('yank', say('helpYankCommand'))
    .argument('<release>')
    .requiredOption('--reason <text>', say('helpReasonRequired'))
    .action((release: string, options: NoteOptions, command: Command) =>
      perform_(command, {
        named: [release],
        assertFit: () => assertRelease(release, say),
        run: (context) => yank(context, 'yank', release, options),
      }),
    );
  add('unyank', say('helpUnyankCommand'))
    .argument('<release>')
    .option('--reason <text>', say('helpReason'))
    .action((release: string, options: NoteOptions, command: Command) =>
      perform_(command, {
        named: [release],
        assertFit: () => assertRelease(release, say),
        run: (context) => yank(context, 'unyank', release, options),
      }),
    );

  add('health', say('helpHealthCommand'))
    .addOption(
      new Option('--minutes <count>', say('helpHealthMinutes')).argParser(
        numberWithin({ name: '--minutes', min: 5, max: 10_080, form: /^\d{1,5}$/ }, say),
      ),
    )
    .action((options: { minutes?: number }, command: Command) =>
      perform_(command, { run: (context) => health(context, options) }),
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

  addEnvironmentCommands({
    say,
    add,
    perform: perform_,
    chosen,
    without,
    ifRevision,
    wholeNumber: (name, min, max) => wholeNumber(name, min, max, say),
  });

  addTokenCommands({
    say,
    add,
    perform: perform_,
    limit,
    duration: (name, maxDays) => seconds(name, say, maxDays * 86_400),
  });
  addWebhookCommands({ say, add, perform: perform_, limit });

  return program;
}

/** Parses a percentage of visitors; fractions are allowed. */
function percent(name: string, say: Say): (given: string) => number {
  return numberWithin({ name, min: 0, max: 100, form: /^\d{1,3}(\.\d{1,2})? ?%?$/ }, say);
}

/** Parses `1,5,25,100`. */
function steps(say: Say): (given: string) => number[] {
  return (given) => {
    const shares = given.split(',').map((step) => step.trim().replace(/ ?%$/, ''));
    const values = shares.map((step) => (/^\d{1,3}(\.\d{1,2})?$/.test(step) ? Number(step) : Number.NaN));
    const isRising = values.every((value, at) => value > (values[at - 1] ?? 0) && value <= 100);
    if (isRising && values[0]! < 100 && values.length <= 20) return values;
    throw new InvalidArgumentError(say('badSteps', { given }));
  };
}

/** Parses `2026-12-01T08:00`, in this machine's time zone unless it says another, or `36h` from now. */
function futureTime(name: string, say: Say): (given: string) => Date {
  return (given) => {
    const isDuration = /^\d+ ?[smhd]$/.test(given);
    const isTime = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(Z|[+-]\d\d:?\d\d)?)?$/.test(given);
    // A date alone would be UTC.
    const time = given.length === 10 ? `${given}T00:00` : given;
    const at = isDuration
      ? new Date(Date.now() + seconds(name, say)(given) * 1000)
      : new Date(isTime ? time : Number.NaN);
    if (at.getTime() > Date.now()) return at;
    throw new InvalidArgumentError(say('badTime', { name, given }));
  };
}

const SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 };
const MAX_STEP_DAYS = 30;

/** Parses a duration such as `10m`, in seconds. */
function seconds(name: string, say: Say, max = MAX_STEP_DAYS * 86_400): (given: string) => number {
  return (given) => {
    const [, count = '', unit = ''] = /^(\d{1,7}) ?([smhd])$/.exec(given) ?? [];
    const value = Number(count) * (SECONDS[unit] ?? 0);
    if (value >= 1 && value <= max) return value;
    throw new InvalidArgumentError(say('badDuration', { name, given, days: max / 86_400 }));
  };
}

function wholeNumber(name: string, min: number, max: number, say: Say): (given: string) => number {
  return numberWithin({ name, min, max, form: /^\d{1,9}$/ }, say);
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
