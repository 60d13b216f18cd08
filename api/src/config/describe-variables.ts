import { allVariables } from './config.ts';

/** The page of all environment variables (Markdown). */
export function describeVariables(): string {
  const rows = allVariables.map(({ name, expected, schema, shownDefault, about, secret }) => {
    const cells = [expected, shownDefault ?? shownValue(schema.parse(undefined)), about];
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

/** As in the environment; '' for none. */
export function shownValue(value: unknown): string {
  if (value === null || (typeof value === 'object' && Object.keys(value).length === 0)) return '';
  return String(value);
}
