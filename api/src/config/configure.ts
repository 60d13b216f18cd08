import { parseArgs } from 'node:util';
import { allVariables, type Config, readConfig } from './config.ts';
import { shownValue } from './describe-variables.ts';
import { type Environment, findMisspelt, type Given, lookUp } from './environment.ts';
import type { NamedVariable } from './variable.ts';

/**
 * The configuration of a start, with a warning for each misspelt variable. With `--check-config` the effective values are printed
 * and the process exits: 0, or 1 if one is invalid. `publish` are the arguments of `--publish`.
 * @throws Error if a value or an argument is invalid.
 */
export function configure(args: string[], env: Environment): Config & { publish: string[] } {
  const options = {
    'check-config': { type: 'boolean' },
    publish: { type: 'string', multiple: true },
  } as const;
  const { values } = parseArgs({ args, options });
  if (values['check-config']) {
    const { report, isValid } = checkConfig(env);
    process.stdout.write(`${report}\n`);
    process.exit(isValid ? 0 : 1);
  }
  const config = readConfig(env);
  for (const sentence of findMisspelt(env, allVariables)) process.stderr.write(`warning: ${sentence}\n`);
  return { ...config, publish: values.publish ?? [] };
}

/** The effective configuration, one line for each variable with its source, without secrets; then misspelt names and errors. */
export function checkConfig(env: Environment): { report: string; isValid: boolean } {
  const rows = allVariables.map((variable) => {
    const given = lookUp(env, variable.name, { secret: variable.secret === true, problems: [] });
    return [variable.name, shownOf(variable, given.value), sourceOf(given)] as const;
  });
  const widths = [0, 1].map((column) => Math.max(...rows.map((cells) => cells[column]!.length)));
  const lines = rows.map(
    ([name, value, source]) => `${name.padEnd(widths[0]!)}  ${value.padEnd(widths[1]!)}  ${source}`,
  );
  const warnings = findMisspelt(env, allVariables).map((sentence) => `warning: ${sentence}`);
  const problems = problemsOf(env);
  const isValid = problems.length === 0;
  const verdict = isValid ? 'The configuration is valid.' : 'The configuration is invalid:';
  return { report: [...lines, '', ...warnings, verdict, ...problems].join('\n'), isValid };
}

function shownOf(variable: NamedVariable<unknown>, value: string | undefined): string {
  if (value === undefined && variable.shownDefault) return variable.shownDefault.replaceAll('`', '');
  if (value !== undefined && (variable.secret || value.includes('@'))) return `(${value.length} characters)`;
  const parsed = variable.schema.safeParse(value);
  return (parsed.success ? shownValue(parsed.data) : `invalid: ${JSON.stringify(value)}`) || '-';
}

function sourceOf({ source }: Given): string {
  return typeof source === 'string' ? source : `file ${source.file}`;
}

function problemsOf(env: Environment): string[] {
  try {
    readConfig(env);
    return [];
  } catch (cause) {
    return (cause as Error).message.split('\n');
  }
}
