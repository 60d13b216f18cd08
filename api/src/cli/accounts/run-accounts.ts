import { Command, CommanderError } from 'commander';
import type { AccountInfo } from '../../contract/accounts.ts';
import type { Language } from '../../contract/language.ts';
import { assertSendable } from '../assert-sendable.ts';
import { createSay } from '../compose/messages.ts';
import { createOpsClient, type OpsClient } from '../compose/ops-client.ts';
import { plainText } from '../compose/plain-text.ts';
import { type CommonOptions, type Environment, serverOf, tokenOf, tokenSource } from '../compose/settings.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { formatUsageError } from '../format-usage-error.ts';
import { languageOf } from '../language-of.ts';

interface RunDeps {
  /** Arguments without the program's name. */
  argv: readonly string[];
  env: Environment;
  out(text: string): void;
  err(text: string): void;
}

/**
 * Runs one command and resolves to its exit code: 1 refused, 2 invalid usage, 3 not reachable or not
 * permitted.
 */
export async function runAccounts({ argv, env, out, err }: RunDeps): Promise<number> {
  const language = languageOf(argv, env);
  const say = createAccountsSay(language);
  const composeSay = createSay(language);
  const values = ({ id, username, createdAt }: AccountInfo) => ({ id, username, createdAt });

  const program = new Command('accounts')
    .usage('<command> [options]')
    .description(say('help'))
    .option('--server <url>', composeSay('helpServer'))
    .option('--token <token>', composeSay('helpToken'))
    .option('--json', composeSay('helpJson'))
    .option('--lang <language>', composeSay('helpLang'))
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

const words = {
  help: ['查看并更改账号的权限', 'Show and change the rights of accounts'],
  editor: ['修改知识库、回答人工咨询', 'change the knowledge base and answer people'],
  admin: ['修改咨询台的设置', 'change the settings of the desk'],
  helpRight: ['谁可以{may}', 'Who may {may}'],
  helpList: ['列出可以{may}的账号', 'List the accounts that may {may}'],
  helpAdd: ['允许这个账号{may}', 'Allow this account to {may}'],
  helpRemove: ['不再允许这个账号{may}', 'Revoke this right from the account'],
  added: ['{username}（{id}）现在可以{may}', '{username} ({id}) may now {may}'],
  removed: ['{username}（{id}）不能再{may}', '{username} ({id}) may no longer {may}'],
  listed: ['{username}  {id}  注册于 {createdAt}', '{username}  {id}  signed up {createdAt}'],
  nobody: ['没有账号可以{may}', 'No account may {may}'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

type AccountsSay = (key: keyof typeof words, values?: Record<string, string>) => string;

function createAccountsSay(language: Language): AccountsSay {
  return (key, values = {}) =>
    words[key][language === 'en' ? 1 : 0].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
