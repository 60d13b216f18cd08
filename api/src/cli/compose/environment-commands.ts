import { type Command, Option } from 'commander';
import { CommandFailure } from '../failure.ts';
import type { Work } from './command-context.ts';
import { environments } from './environments.ts';
import type { Say } from './messages.ts';
import { type PromoteOptions, promote } from './promote.ts';
import { isAddress } from './promotion-source.ts';
import type { CommonOptions } from './settings.ts';

const REMOTE = /^[a-z][a-z0-9-]{0,63}$/;

interface Program {
  say: Say;
  add(name: string, description: string): Command;
  /** Runs the work of a command with its options; `more` replaces some of them. */
  perform(command: Command, work: Work, more?: CommonOptions): Promise<void>;
  wholeNumber(name: string, min: number, max: number): (given: string) => number;
}

/** Adds the commands on environments. */
export function addEnvironmentCommands({ say, add, perform, wholeNumber }: Program): void {
  add('environments', say('helpEnvironmentsCommand')).action((_: object, command: Command) =>
    perform(command, { run: environments }),
  );

  add('promote', say('helpPromoteCommand'))
    .argument('[remotes...]', say('helpPromoteRemotes'))
    .addOption(new Option('--from <environment>', say('helpFrom')).makeOptionMandatory())
    .option('--to <environment>', say('helpTo'))
    .option('--from-token <token>', say('helpFromToken'))
    .option('--reason <text>', say('helpReason'))
    .option('--dry-run', say('helpDryRun'))
    .addOption(
      new Option('--if-revision <number>', say('helpIfRevision')).argParser(
        wholeNumber('--if-revision', 0, 999_999_999),
      ),
    )
    .option('--allow-weaker-guard', say('helpAllowWeakerGuard'))
    .addHelpText('after', say('helpPromoteAbout'))
    .action((named: string[], options: PromoteOptions, command: Command) =>
      perform(
        command,
        {
          assertFit() {
            const wrong = named.find((name) => !REMOTE.test(name));
            if (wrong !== undefined) throw new CommandFailure(2, say('badRemote', { given: wrong }));
          },
          run: (context) => promote(context, named, options),
        },
        options.to !== undefined && isAddress(options.to) ? { server: options.to } : {},
      ),
    );
}
