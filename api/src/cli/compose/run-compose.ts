import { type Command, CommanderError } from 'commander';
import type { CompositionChoice } from '../../contract/compositions.ts';
import { createSay } from '../../i18n/texts-of.ts';
import { assertSendable } from '../assert-sendable.ts';
import { CommandFailure, Refused } from '../failure.ts';
import { formatUsageError } from '../format-usage-error.ts';
import { isThisMachine } from '../is-this-machine.ts';
import { languageOf } from '../language-of.ts';
import type { Say } from '../say.ts';
import { formatWaiting } from './changes.ts';
import { readChoice } from './choice.ts';
import type { CommandContext, Work } from './command-context.ts';
import { createProgram } from './create-program.ts';
import { explain } from './explain.ts';
import { createOpsClient, WaitsForApproval } from './ops-client.ts';
import { plainText } from './plain-text.ts';
import {
  authorOf,
  type CommonOptions,
  type Environment,
  serverOf,
  tokenOf,
  tokenSource,
} from './settings.ts';

export interface RunDeps {
  /** Arguments without the program's name. */
  argv: readonly string[];
  env: Environment;
  out(text: string): void;
  err(text: string): void;
  now(): Date;
}

/** Exit code of a change that waits for a second token: a pipeline must not take it for done. */
const REQUESTED = 4;

/** Runs one command and resolves to its exit code; errors have been printed. */
export async function runCompose({ argv, env, out, err, now }: RunDeps): Promise<number> {
  const language = languageOf(argv, env);
  const say = createSay('cli-compose', language);
  let exitCode = 0;

  async function perform(work: Work, options: CommonOptions): Promise<void> {
    try {
      work.assertFit?.();
      const server = serverOf(options, env, say);
      const token = await tokenOf(server, options, env, say);
      assertSendable(token, tokenSource(options, env), language);
      const context: CommandContext = {
        client: createOpsClient({ server, token, language, say }),
        token,
        say,
        language,
        now: now(),
        author: authorOf(options, env),
        env,
        answer: (body, text) => out(`${options.json ? JSON.stringify(body, null, 2) : plainText(text())}\n`),
        progress: (text) => options.json || err(`${plainText(text)}\n`),
      };
      if (server.startsWith('http:') && !isThisMachine(server))
        context.progress(say('plainHttp', { server }));
      exitCode = await performed(work, context, tokenSource(options, env));
    } catch (thrown) {
      if (!(thrown instanceof CommandFailure)) throw thrown;
      fail(thrown, options.json);
      exitCode = thrown.exitCode;
    }
  }

  function fail({ body, message }: CommandFailure, asJson = false): void {
    err(asJson ? `${JSON.stringify(body)}\n` : `${plainText(message)}\n`);
  }

  const program = createProgram({ say, language, perform, out, err });
  try {
    if (argv.length === 0) {
      program.outputHelp({ error: true });
      return 2;
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    // Commander has already printed the help of a command group.
    if (thrown.code === 'commander.help') return 2;
    const seeHelp = say('usageSeeHelp', { command: commandIn(program, argv) });
    fail(new CommandFailure(2, `${formatUsageError(thrown, language)}\n${seeHelp}`), argv.includes('--json'));
    return 2;
  }
}

async function performed(work: Work, context: CommandContext, tokenFrom: string): Promise<number> {
  try {
    return (await work.run(context)) === 1 ? 1 : 0;
  } catch (thrown) {
    if (thrown instanceof WaitsForApproval) {
      context.answer({ change: thrown.change }, () => formatWaiting(thrown.change, context));
      return REQUESTED;
    }
    if (!(thrown instanceof Refused)) throw thrown;
    throw await explain(
      thrown,
      { choice: choiceOf(work, context.say), tokenFrom, seeAlso: work.seeAlso },
      context,
    );
  }
}

function choiceOf({ named = [], without = [] }: Work, say: Say): CompositionChoice | undefined {
  return named.length === 0 ? undefined : readChoice(named, without, say);
}

/** The command that was meant, for messages: `canary start `, or '' for the whole program. */
function commandIn(program: Command, argv: readonly string[]): string {
  let at = program;
  let path = '';
  for (const word of argv) {
    const next = at.commands.find((command) => command.name() === word);
    if (!next) continue;
    at = next;
    path += `${word} `;
  }
  return path;
}
