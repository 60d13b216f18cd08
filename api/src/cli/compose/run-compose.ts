import { CommanderError } from 'commander';
import type { CompositionChoice } from '../../contract.ts';
import { isThisMachine } from '../is-this-machine.ts';
import { readChoice } from './choice.ts';
import { createProgram, type Work } from './create-program.ts';
import { explain } from './explain.ts';
import { CommandFailure, Refused } from './failure.ts';
import { createOpsClient } from './ops-client.ts';
import { plainText } from './plain-text.ts';
import {
  authorOf,
  type CommonOptions,
  type Environment,
  languageOf,
  serverOf,
  tokenOf,
  tokenSource,
} from './settings.ts';
import type { Shell } from './shell.ts';
import { createSay, type Say } from './words.ts';

export interface RunDeps {
  /** Without the program's name. */
  argv: readonly string[];
  env: Environment;
  out(text: string): void;
  err(text: string): void;
  now(): Date;
}

/** Runs one command and resolves to its exit code; whatever goes wrong has been told. */
export async function runCompose({ argv, env, out, err, now }: RunDeps): Promise<number> {
  const language = languageOf(argv, env);
  const say = createSay(language);
  let exitCode = 0;

  async function perform(work: Work, options: CommonOptions): Promise<void> {
    try {
      work.assertFit?.();
      const server = serverOf(options, env, say);
      const token = await tokenOf(server, options, env, say);
      const shell: Shell = {
        client: createOpsClient({ server, token, language, say }),
        say,
        language,
        now: now(),
        author: authorOf(options, env),
        env,
        answer: (body, text) => out(`${options.json ? JSON.stringify(body, null, 2) : plainText(text())}\n`),
        progress: (text) => options.json || err(`${plainText(text)}\n`),
      };
      if (server.startsWith('http:') && !isThisMachine(server)) shell.progress(say('plainHttp', { server }));
      exitCode = await performed(work, shell, tokenSource(options, env));
    } catch (thrown) {
      if (!(thrown instanceof CommandFailure)) throw thrown;
      err(options.json ? `${JSON.stringify(thrown.body)}\n` : `${plainText(thrown.message)}\n`);
      exitCode = thrown.exitCode;
    }
  }

  const program = createProgram({ say, perform, out, err });
  try {
    if (argv.length === 0) {
      err(program.helpInformation());
      return 2;
    }
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (thrown) {
    if (!(thrown instanceof CommanderError)) throw thrown;
    if (thrown.exitCode === 0) return 0;
    err(tellUsage(thrown, argv, say));
    return 2;
  }
}

async function performed(work: Work, shell: Shell, tokenFrom: string): Promise<number> {
  try {
    return (await work.run(shell)) === 1 ? 1 : 0;
  } catch (thrown) {
    if (!(thrown instanceof Refused)) throw thrown;
    throw await explain(thrown, { choice: choiceOf(work, shell.say), tokenFrom }, shell);
  }
}

function choiceOf({ named = [], without = [] }: Work, say: Say): CompositionChoice | undefined {
  return named.length === 0 ? undefined : readChoice(named, without, say);
}

const KNOWN = {
  'commander.unknownOption': 'usageUnknownOption',
  'commander.unknownCommand': 'usageUnknownCommand',
  'commander.missingArgument': 'usageMissingArgument',
  'commander.optionMissingArgument': 'usageOptionMissingArgument',
  'commander.missingMandatoryOptionValue': 'usageOptionMissingArgument',
  'commander.excessArguments': 'usageExcessArguments',
} as const;

/** Commander's own sentences are English alone. A command group without a command has shown its help already. */
function tellUsage({ code, message }: CommanderError, argv: readonly string[], say: Say): string {
  if (code === 'commander.help') return '';
  const key = KNOWN[code as keyof typeof KNOWN];
  const name = /'([^']*)'/.exec(message)?.[1] ?? '';
  const hint = /\(Did you mean [^)]*\)/.exec(message)?.[0];
  const told = key ? say(key, { name }) : message.replace(/^error: /, '');
  const command =
    argv[0] && !argv[0].startsWith('-') && code !== 'commander.unknownCommand' ? `${argv[0]} ` : '';
  return [told, ...(hint ? [hint] : []), say('usageSeeHelp', { command })].join('\n').concat('\n');
}
