import type { AccountInfo } from '../../contract/accounts.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { plainText } from '../compose/context/format.ts';
import { type CommonOptions, type OpsClient, openDesk } from '../compose/context/ops-client.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { createProgram, languageNames, languageOf, runProgram } from '../program.ts';
import type { RunDeps } from '../run-deps.ts';

/** Resolves to the exit code: 1 refused, 2 invalid usage, 3 not reachable or not permitted. */
export async function runAccounts({ argv, env, out, err }: RunDeps): Promise<number> {
  const language = languageOf(argv, env);
  const say = createSay('cli-accounts', language);
  const composeSay = createSay('cli-compose', language);
  const values = ({ id, username, createdAt }: AccountInfo) => ({ id, username, createdAt });

  const program = createProgram('accounts', { out, err })
    .usage('<command> [options]')
    .description(say('help'))
    .option('--server <url>', composeSay('helpServer'))
    .option('--token <token>', composeSay('helpToken'))
    .option('--json', composeSay('helpJson'))
    .option('--lang <language>', composeSay('helpLang', { languages: languageNames }));
  async function perform<T>(ask: (client: OpsClient) => Promise<T>, tell: (answer: T) => string) {
    const options = program.opts<CommonOptions>();
    const { client } = await openDesk(options, { env, say: composeSay, language });
    const answer = await ask(client);
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
    return (await runProgram(program, argv, language, (message) => err(`${message}\n`))) ?? 0;
  } catch (thrown) {
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
