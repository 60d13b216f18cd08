import { Command, CommanderError } from 'commander';
import type { EditorInfo } from '../../contract/accounts.ts';
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
  const values = ({ id, username, createdAt }: EditorInfo) => ({ id, username, createdAt });

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
  const editor = program.command('editor').description(say('helpEditor')).helpCommand(false);

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

  editor
    .command('list')
    .description(say('helpList'))
    .action(() =>
      perform(
        (client) => client.get<{ editors: EditorInfo[] }>('/ops/editors'),
        ({ editors }) => editors.map((one) => say('listed', values(one))).join('\n') || say('nobody'),
      ),
    );
  editor
    .command('add')
    .description(say('helpAdd'))
    .argument('<username>')
    .action((username: string) =>
      perform(
        (client) => client.post<EditorInfo>('/ops/editors/grant', { username }),
        (one) => say('added', values(one)),
      ),
    );
  editor
    .command('remove')
    .description(say('helpRemove'))
    .argument('<username>')
    .action((username: string) =>
      perform(
        (client) => client.post<EditorInfo>('/ops/editors/revoke', { username }),
        (one) => say('removed', values(one)),
      ),
    );

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
  helpEditor: ['谁可以修改知识库', 'Who may change the knowledge base'],
  helpList: ['列出可以修改知识库的账号', 'List the accounts that may change the knowledge base'],
  helpAdd: ['允许这个账号修改知识库', 'Allow this account to change the knowledge base'],
  helpRemove: ['不再允许这个账号修改知识库', 'Revoke this right from the account'],
  added: ['{username}（{id}）现在可以修改知识库', '{username} ({id}) may now change the knowledge base'],
  removed: [
    '{username}（{id}）不能再修改知识库',
    '{username} ({id}) may no longer change the knowledge base',
  ],
  listed: ['{username}  {id}  注册于 {createdAt}', '{username}  {id}  signed up {createdAt}'],
  nobody: ['没有账号可以修改知识库', 'No account may change the knowledge base'],
} as const satisfies Record<string, readonly [zh: string, en: string]>;

type AccountsSay = (key: keyof typeof words, values?: Record<string, string>) => string;

function createAccountsSay(language: Language): AccountsSay {
  return (key, values = {}) =>
    words[key][language === 'en' ? 1 : 0].replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
}
