import { type Command, Option } from 'commander';
import { approveChange, listChanges, rejectChange } from './changes.ts';
import type { Work } from './command-context.ts';
import type { Say } from './messages.ts';
import type { CommonOptions } from './settings.ts';
import { assertToken, type CreateOptions, createToken, listTokens, revokeToken } from './tokens.ts';

/** Longest lifetime of a token that expires, in days. */
const MAX_EXPIRY_DAYS = 3650;

interface Program {
  say: Say;
  add(name: string, description: string, parent?: Command): Command;
  perform(command: Command, work: Work, more?: CommonOptions): Promise<void>;
  limit: Option;
  /** Parses a duration, in seconds. */
  duration(name: string, maxDays: number): (given: string) => number;
}

/** Adds the commands on tokens, and on changes that need two of them. */
export function addTokenCommands({ say, add, perform, limit, duration }: Program): void {
  const tokens = add('tokens', say('helpTokensCommand')).helpCommand(false);
  add('create', say('helpTokensCreate'), tokens)
    .argument('<name>', say('helpTokenName'))
    .addOption(
      new Option('--scope <scope>', say('helpScope'))
        .argParser((scopes: string, before: string[] = []) => [...before, ...scopes.split(',')])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--expires <duration>', say('helpExpires')).argParser(
        duration('--expires', MAX_EXPIRY_DAYS),
      ),
    )
    .addHelpText('after', `\n${say('helpScopes')}`)
    .action((name: string, options: CreateOptions, command: Command) =>
      perform(command, {
        assertFit: () => assertToken(name, options, say),
        seeAlso: 'seeTokens',
        run: (context) => createToken(context, name, options),
      }),
    );
  add('list', say('helpTokensList'), tokens)
    .addOption(limit)
    .option('--cursor <cursor>', say('helpCursor'))
    .action((options: { limit?: number; cursor?: string }, command: Command) =>
      perform(command, { run: (context) => listTokens(context, { ...options }) }),
    );
  add('revoke', say('helpTokensRevoke'), tokens)
    .argument('<name>', say('helpTokenName'))
    .action((name: string, _: object, command: Command) =>
      perform(command, { seeAlso: 'seeTokens', run: (context) => revokeToken(context, name) }),
    );

  add('changes', say('helpChangesCommand'))
    .addOption(limit)
    .option('--cursor <cursor>', say('helpCursor'))
    .action((options: { limit?: number; cursor?: string }, command: Command) =>
      perform(command, { run: (context) => listChanges(context, { ...options }) }),
    );
  add('approve', say('helpApproveCommand'))
    .argument('<change>', say('helpChangeId'))
    .action((id: string, _: object, command: Command) =>
      perform(command, { seeAlso: 'seeChanges', run: (context) => approveChange(context, id) }),
    );
  add('reject', say('helpRejectCommand'))
    .argument('<change>', say('helpChangeId'))
    .action((id: string, _: object, command: Command) =>
      perform(command, { seeAlso: 'seeChanges', run: (context) => rejectChange(context, id) }),
    );
}
