import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { allVariables, type Config, readConfig } from './config.ts';
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

/** The page of all environment variables (Markdown). */
export function describeVariables(): string {
  const meanings = JSON.parse(readFileSync(join(import.meta.dirname, 'variables.json'), 'utf8'));
  const rows = allVariables.map(({ name, expected, schema, shownDefault, secret }) => {
    const meaning = (meanings as Record<string, string>)[name];
    if (!meaning) throw new Error(`variables.json must say what ${name} means`);
    const cells = [expected, shownDefault ?? shownValue(schema.parse(undefined)), meaning];
    return `| \`${name}\`${secret ? ' †' : ''} | ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  });
  return `# Configuration

<!-- Generated from api/src/config: UPDATE_DOCS=1 npm run unit -- api/src/config -->

Environment variables. An invalid value stops the start with a message that names it; an empty value counts as unset; a name that is almost one of
these is reported. \`npm start -- --check-config\` prints the effective values with their sources, without secrets, and exits with 0 or 1. A variable
marked † may stand in a file: \`SECRET_FILE=/run/secrets/secret\` instead of \`SECRET\`. What administrators change on
a screen (\`/chatbot/settings\`) takes effect without a restart, see the [handbook](api/handbook/en/11-running.md).

| variable | values | default | meaning |
|---|---|---|---|
${rows.join('\n')}
`;
}

/** The value in the form of the environment; '' if there is none. */
function shownValue(value: unknown): string {
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return '';
  return String(value);
}
