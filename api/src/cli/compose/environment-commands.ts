import { type Command, Option } from 'commander';
import type { CompositionChoice } from '../../contract/compositions.ts';
import { CommandFailure } from '../failure.ts';
import type { CommandContext, Work } from './command-context.ts';
import { environments } from './environments.ts';
import { exportComposition } from './export-composition.ts';
import { importComposition } from './import-composition.ts';
import type { Say } from './messages.ts';
import { type PreviewOptions, preview } from './preview.ts';
import { type PromoteOptions, promote } from './promote.ts';
import { isAddress } from './promotion-source.ts';
import type { CommonOptions } from './settings.ts';

const REMOTE = /^[a-z][a-z0-9-]{0,63}$/;

interface ChoiceOptions {
  without?: string[];
}

interface Program {
  say: Say;
  add(name: string, description: string): Command;
  /** Runs the work of a command with its options; `more` replaces some of them. */
  perform(command: Command, work: Work, more?: CommonOptions): Promise<void>;
  /** The work of a command whose arguments choose releases or a composition. */
  chosen(
    named: string[],
    options: ChoiceOptions,
    run: (context: CommandContext, choice: CompositionChoice) => Promise<unknown>,
  ): Work;
  without(): Option;
  ifRevision(): Option;
  wholeNumber(name: string, min: number, max: number): (given: string) => number;
}

/** Adds the commands on environments, previews and files of compositions. */
export function addEnvironmentCommands(program: Program): void {
  const { say, add, perform, chosen, without, ifRevision, wholeNumber } = program;
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
    .addOption(ifRevision())
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

  add('preview', say('helpPreviewCommand'))
    .argument('[releases...]', say('helpChoice'))
    .addOption(without())
    .option('--name <name>', say('helpPreviewName'))
    .addOption(new Option('--hours <count>', say('helpHours')).argParser(wholeNumber('--hours', 1, 24)))
    .addHelpText('after', say('helpPreviewAbout'))
    .action((named: string[], options: ChoiceOptions & PreviewOptions, command: Command) =>
      perform(
        command,
        chosen(named, options, (context, choice) => preview(context, choice, options)),
      ),
    );

  add('export', say('helpExportCommand'))
    .argument('[composition]')
    .action((id: string | undefined, _: object, command: Command) =>
      perform(command, { named: id ? [id] : [], run: (context) => exportComposition(context, id) }),
    );

  add('import', say('helpImportCommand'))
    .argument('<file>', say('helpImportFile'))
    .addHelpText('after', say('helpImportAbout'))
    .action((file: string, _: object, command: Command) =>
      perform(command, { run: (context) => importComposition(context, file) }),
    );
}
