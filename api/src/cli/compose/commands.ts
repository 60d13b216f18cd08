import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import type { CompositionChoice, PreviewInfo, PreviewRequest } from '../../contract/compositions.ts';
import type { YankedRelease } from '../../contract/releases.ts';
import type { ResolvedStack } from '../../contract/reports.ts';
import type { TextKey } from '../../i18n/texts-of.ts';
import { CommandFailure } from '../failure.ts';
import {
  assertShare,
  canaryStatus,
  changeCanary,
  type StartOptions,
  shareCanary,
  startCanary,
} from './commands/canary.ts';
import { approveChange, listChanges, rejectChange } from './commands/changes.ts';
import { check } from './commands/check.ts';
import { exportComposition, importComposition } from './commands/composition-file.ts';
import { diff } from './commands/diff.ts';
import type { About } from './commands/explain.ts';
import { health } from './commands/health.ts';
import { environments, history, list, releases } from './commands/list.ts';
import { type OverrideOptions, override } from './commands/override.ts';
import { isAddress, type PromoteOptions, promote } from './commands/promote.ts';
import { restrict } from './commands/restrict.ts';
import { rollback, set } from './commands/set.ts';
import { show } from './commands/show.ts';
import { assertToken, createToken, listTokens, revokeToken } from './commands/tokens.ts';
import { actOnWebhook, addWebhook, listDeliveries, listWebhooks } from './commands/webhooks.ts';
import { assertRelease, type CommandContext } from './context/command-context.ts';
import { type OptionName, type Parser, percent } from './context/command-options.ts';
import { clock, type Say, shortId } from './context/format.ts';
import type { CommonOptions, Sent } from './context/ops-client.ts';

type Key = TextKey<'cli-compose'>;

/** A command, or a group of commands. Functions get the arguments, then the options. */
export interface CommandRow {
  help: Key;
  /** Text below the help. */
  about?: Key;
  commands?: Commands;
  /** Arguments in the syntax of commander, with their help. */
  args?: readonly (readonly [syntax: string, help?: Key, parser?: Parser])[];
  options?: readonly OptionName[];
  /** The first argument, a list, chooses a composition by releases or by what it omits; `run` gets it. */
  chooses?: 'releases' | 'without';
  /** Throws if they are invalid, before the server is contacted. */
  assertFit?(say: Say, ...given: unknown[]): void;
  /** The releases or the composition among them, for messages. */
  named?(...given: unknown[]): (string | undefined)[];
  seeAlso?: About['seeAlso'];
  common?(...given: unknown[]): CommonOptions;
  run?(context: CommandContext, ...given: unknown[]): Promise<unknown>;
}

/** The commands by name, in the order of the help. */
type Commands = Readonly<Record<string, CommandRow>>;

const REMOTE = /^[a-z][a-z0-9-]{0,63}$/;
const page = ['limit', 'cursor'] as const;
const note = ['reason', 'ifRevision'] as const;
const choice = ['[releases...]', 'helpChoice'] as const;
const canaryName = ['[remote]', 'helpCanaryName'] as const;
const ofCanary: Pick<CommandRow, 'args' | 'options'> = { args: [canaryName], options: note };

const canaryCommands: Commands = {
  start: {
    help: 'helpCanaryStart',
    args: [choice],
    options: ['without', 'share', 'steps', 'every', 'minPages', 'allowWeakerGuard', ...note, 'smoke'],
    chooses: 'releases',
    assertFit: (say, _named, options: StartOptions) => assertShare(options, say),
    run: startCanary,
  },
  share: {
    help: 'helpCanaryShare',
    args: [['<percent>', 'helpShareOption', percent], canaryName],
    options: note,
    run: shareCanary,
  },
  status: { help: 'helpCanaryStatus', run: canaryStatus },
  pause: { help: 'helpCanaryPause', ...ofCanary, run: changeCanary('pause') },
  resume: { help: 'helpCanaryResume', ...ofCanary, run: changeCanary('resume') },
  promote: { help: 'helpCanaryPromote', ...ofCanary, run: changeCanary('promote') },
  abort: { help: 'helpCanaryAbort', ...ofCanary, run: changeCanary('abort') },
};

const tokenName = ['<name>', 'helpTokenName'] as const;

const tokenCommands: Commands = {
  create: {
    help: 'helpTokensCreate',
    about: 'helpScopes',
    args: [tokenName],
    options: ['scope', 'expires'],
    assertFit: (say, name: string, options: { scope?: string[] }) => assertToken(name, options, say),
    seeAlso: 'seeTokens',
    run: createToken,
  },
  list: { help: 'helpTokensList', options: page, run: listTokens },
  revoke: { help: 'helpTokensRevoke', args: [tokenName], seeAlso: 'seeTokens', run: revokeToken },
};

const webhookCommands: Commands = {
  list: { help: 'helpWebhooksList', run: listWebhooks },
  add: { help: 'helpWebhooksAdd', args: [['<url>']], options: ['events'], run: addWebhook },
  remove: { help: 'helpWebhooksRemove', args: [['<id>']], run: actOnWebhook('remove') },
  test: { help: 'helpWebhooksTest', args: [['<id>']], run: actOnWebhook('test') },
  deliveries: { help: 'helpWebhooksDeliveries', args: [['[id]']], options: page, run: listDeliveries },
  retry: { help: 'helpWebhooksRetry', args: [['<delivery>']], run: actOnWebhook('retry') },
};

const ofRelease: Pick<CommandRow, 'args' | 'assertFit' | 'named'> = {
  args: [['<release>']],
  assertFit: (say, release: string) => assertRelease(release, say),
  named: (release: string) => [release],
};

const ofChange: Pick<CommandRow, 'args' | 'seeAlso'> = {
  args: [['<change>', 'helpChangeId']],
  seeAlso: 'seeChanges',
};

export const commands: Commands = {
  list: { help: 'helpListCommand', options: page, run: list },
  show: {
    help: 'helpShowCommand',
    args: [['[composition]']],
    named: (id?: string) => [id],
    run: show,
  },
  releases: {
    help: 'helpReleasesCommand',
    args: [['[name]']],
    options: page,
    named: (name?: string) => (name?.includes('@') ? [name] : []),
    run: releases,
  },
  check: {
    help: 'helpCheckCommand',
    args: [choice],
    options: ['without', 'allowWeakerGuard', 'smoke'],
    chooses: 'releases',
    run: check,
  },
  set: {
    help: 'helpSetCommand',
    args: [choice],
    options: ['without', 'allowWeakerGuard', ...note, 'dryRun', 'smoke', 'watch', 'watchMinutes'],
    chooses: 'releases',
    run: set,
  },
  remove: {
    help: 'helpRemoveCommand',
    args: [['<remotes...>']],
    options: [...note, 'dryRun'],
    chooses: 'without',
    run: set,
  },
  diff: { help: 'helpDiffCommand', args: [['[from]'], ['[to]']], run: diff },
  'resolve-stack': { help: 'helpResolveStackCommand', args: [['[file]']], run: resolveStack },
  rollback: {
    help: 'helpRollbackCommand',
    args: [['[to]']],
    options: [...note, 'force'],
    named: (to?: string) => [to],
    run: rollback,
  },
  history: { help: 'helpHistoryCommand', options: page, run: history },
  canary: { help: 'helpCanaryCommand', commands: canaryCommands },
  freeze: {
    help: 'helpFreezeCommand',
    options: ['until', 'reasonRequired', 'ifRevision'],
    run: restrict('freeze'),
  },
  unfreeze: { help: 'helpUnfreezeCommand', options: note, run: restrict('unfreeze') },
  pin: {
    help: 'helpPinCommand',
    args: [['<remote>']],
    options: ['reasonRequired', 'ifRevision'],
    run: restrict('pin'),
  },
  unpin: { help: 'helpUnpinCommand', args: [['<remote>']], options: note, run: restrict('unpin') },
  yank: { help: 'helpYankCommand', options: ['reasonRequired'], ...ofRelease, run: yank('yank') },
  unyank: { help: 'helpUnyankCommand', options: ['reason'], ...ofRelease, run: yank('unyank') },
  health: { help: 'helpHealthCommand', options: ['healthMinutes'], run: health },
  override: {
    help: 'helpOverrideCommand',
    args: [['[remote]'], ['[address]']],
    options: ['composition', 'minutes'],
    named: (_remote: string, _address: string, { composition }: OverrideOptions) => [composition],
    run: override,
  },
  environments: { help: 'helpEnvironmentsCommand', run: environments },
  promote: {
    help: 'helpPromoteCommand',
    about: 'helpPromoteAbout',
    args: [['[remotes...]', 'helpPromoteRemotes']],
    options: ['from', 'to', 'fromToken', 'reason', 'dryRun', 'ifRevision', 'allowWeakerGuard'],
    assertFit(say, named: string[]) {
      const wrong = named.find((name) => !REMOTE.test(name));
      if (wrong !== undefined) throw new CommandFailure(2, say('badRemote', { given: wrong }));
    },
    common: (_named: string[], { to }: PromoteOptions) =>
      to !== undefined && isAddress(to) ? { server: to } : {},
    run: promote,
  },
  preview: {
    help: 'helpPreviewCommand',
    about: 'helpPreviewAbout',
    args: [choice],
    options: ['without', 'name', 'hours'],
    chooses: 'releases',
    run: preview,
  },
  export: {
    help: 'helpExportCommand',
    args: [['[composition]']],
    named: (id?: string) => [id],
    run: exportComposition,
  },
  import: {
    help: 'helpImportCommand',
    about: 'helpImportAbout',
    args: [['<file>', 'helpImportFile']],
    run: importComposition,
  },
  tokens: { help: 'helpTokensCommand', commands: tokenCommands },
  changes: { help: 'helpChangesCommand', options: page, run: listChanges },
  approve: { help: 'helpApproveCommand', ...ofChange, run: approveChange },
  reject: { help: 'helpRejectCommand', ...ofChange, run: rejectChange },
  webhooks: { help: 'helpWebhooksCommand', about: 'helpWebhooksAbout', commands: webhookCommands },
};

/** `compose preview mfe-chat@1.5.0 [--name branch]`: a link that shows it to everyone who opens it. */
async function preview(
  { client, author, say, now, answer }: CommandContext,
  choice: CompositionChoice,
  { name, hours }: { name?: string; hours?: number },
): Promise<void> {
  const made = await client.post<PreviewInfo>('/ops/previews', {
    ...choice,
    author,
    name,
    hours,
  } satisfies Sent<PreviewRequest>);
  answer(made, () => {
    const values = {
      url: made.url,
      id: shortId(made.composition.id),
      until: clock(made.expiresAt, now),
      leave: `${client.server}/chatbot/override/leave`,
    };
    return [
      say('previewLink', values),
      ...(made.name === null ? [] : [say('previewStays', { name: made.name })]),
    ].join('\n');
  });
}

/** `compose yank mfe-chat@1.4.0 --reason "loses drafts"`, and `unyank`. */
function yank(action: 'yank' | 'unyank') {
  return async (
    context: CommandContext,
    release: string,
    { reason = `compose ${action} ${release}` }: { reason?: string },
  ): Promise<void> => {
    const { client, say, author } = context;
    const path = `/ops/releases/${encodeURIComponent(release)}/${action}`;
    const after = await client.post<YankedRelease>(path, { author, reason });
    context.answer(after, () => {
      if (action === 'unyank') return say('unyanked', { release });
      const uses = after.uses.map(({ role, ...use }) =>
        say(role === 'live' ? 'yankedLive' : 'yankedCanary', {
          ...use,
          composition: shortId(use.composition),
        }),
      );
      return [say('yanked', { release }), ...uses].join('\n');
    });
  };
}

/** `compose resolve-stack [file]`: a stack trace, from stdin without a file, with source positions. */
async function resolveStack({ client, answer }: CommandContext, file: string | undefined): Promise<void> {
  const stack = file === undefined ? await text(process.stdin) : await readFile(file, 'utf8');
  const resolved = await client.post<ResolvedStack>('/ops/stack', { stack });
  answer(resolved, () => resolved.stack.trimEnd());
}
