import { Command, CommanderError } from 'commander';
import type { AccountInfo } from '../../contract/accounts.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { createOpsClient, type OpsClient } from '../compose/context/ops-client.ts';
import { plainText } from '../compose/context/plain-text.ts';
import { type CommonOptions, serverOf, tokenOf, tokenSource } from '../compose/context/settings.ts';
import { assertSendable } from '../desk-requests.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { formatUsageError, languageNames, languageOf } from '../format-usage-error.ts';
import type { RunDeps } from '../start-program.ts';

/** Resolves to the exit code: 1 refused, 2 invalid usage, 3 not reachable or not permitted. */
export async function runAccounts({ argv, env, out, err }: RunDeps): Promise<number> {
  const language = languageOf(argv, env);
  const say = createSay('cli-accounts', language);
  const composeSay = createSay('cli-compose', language);
  const values = ({ id, username, createdAt }: AccountInfo) => ({ id, username, createdAt });

  const program = new Command('accounts')
    .usage('<command> [options]')
    .description(say('help'))
    .option('--server <url>', composeSay('helpServer'))
    .option('--token <token>', composeSay('helpToken'))
    .option('--json', composeSay('helpJson'))
    .option('--lang <language>', composeSay('helpLang', { languages: languageNames }))
    .helpCommand(false)
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ writeOut: out, writeErr: err, outputError: () => undefined })
    .exitOverride();
  async function perform<T>(
    ask: (client: OpsClient) => Promise<T>,
    tell: (answer: T) => string,
  ): Promise<void> {
    const options = program.opts<CommonOptions>();
    const server = serverOf(options, env, composeSay);
    const token = await tokenOf(server, options, env, composeSay);
    assertSendable(token, tokenSource(options, env), language);
    const answer = await ask(createOpsClient({ server, token, language, say: composeSay }));
    out(`${options.json ? JSON.stringify(answer, null, 2) : plainText(tell(answer))}\n`);
  }

  for (const right of ['editor', 'admin'] as const) {
    const name = right === 'editor' ? 'editors' : 'administrators';
    const may = say(right);
    const command = program.command(right).description(say('helpRight', { may })).helpCommand(false);
    const change = (path: string, done: 'added' | 'removed') => (username: string) =>
      perform(
        (client) => client.post<AccountInfo>(`/ops/${name}/${path}`, { username }),
        (one) => say(done, { ...values(one), may }),
      );
    command
      .command('list')
      .description(say('helpList', { may }))
      .action(() =>
        perform(
          (client) => client.get<Record<string, AccountInfo[]>>(`/ops/${name}`),
          (answer) =>
            (answer[name] ?? []).map((one) => say('listed', values(one))).join('\n') ||
            say('nobody', { may }),
        ),
      );
    command
      .command('add')
      .description(say('helpAdd', { may }))
      .argument('<username>')
      .action(change('grant', 'added'));
    command
      .command('remove')
      .description(say('helpRemove', { may }))
      .argument('<username>')
      .action(change('revoke', 'removed'));
  }

  try {
    await program.parseAsync(argv, { from: 'user' });
    return 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError) {
      if (thrown.exitCode === 0) return 0;
      if (thrown.code !== 'commander.help') err(`${formatUsageError(thrown, language)}\n`);
      return 2;
    }
    if (!(thrown instanceof CommandFailure || thrown instanceof Refused)) throw thrown;
    err(
      program.opts<CommonOptions>().json
        ? `${JSON.stringify(thrown.body)}\n`
        : `${plainText(thrown.message)}\n`,
    );
    if (thrown instanceof CommandFailure) return thrown.exitCode;
    return thrown.status === 401 || thrown.status === 403 ? 3 : 1;
  }
}
