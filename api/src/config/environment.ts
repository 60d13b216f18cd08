import { readFileSync } from 'node:fs';

export type Environment = Record<string, string | undefined>;

/** Where a value comes from: `default`, `environment`, or the path of a file. */
export interface Given {
  /** Trimmed; undefined if unset. */
  value: string | undefined;
  source: 'default' | 'environment' | { file: string };
}

/** Largest file of a secret, in bytes. */
const MAX_SECRET_BYTES = 65_536;

/**
 * The value of a variable. An empty value counts as unset. A secret may be in a file instead, named by `<NAME>_FILE`, as container
 * platforms mount them. Errors are added to `problems`, without the secret.
 */
export function lookUp(
  env: Environment,
  name: string,
  { secret, problems }: { secret: boolean; problems: string[] },
): Given {
  const value = env[name]?.trim() || undefined;
  const file = (secret && env[`${name}_FILE`]?.trim()) || undefined;
  if (file === undefined) return { value, source: value === undefined ? 'default' : 'environment' };
  const given: Given = { value: undefined, source: { file } };
  if (value !== undefined) {
    problems.push(`${name} or ${name}_FILE must be set, got both`);
    return given;
  }
  try {
    const bytes = readFileSync(file);
    given.value = bytes.length <= MAX_SECRET_BYTES ? bytes.toString('utf8').trim() || undefined : undefined;
    if (given.value === undefined)
      problems.push(`${name}_FILE must be a file with the value, got ${file} with ${bytes.length} bytes`);
  } catch (cause) {
    problems.push(`${name}_FILE must be a readable file, got ${file} (${(cause as { code?: string }).code})`);
  }
  return given;
}

/** Variables of this project that its commands read, and the server does not. */
const OF_COMMANDS = ['DESK_URL', 'RELEASE_TOKEN', 'FROM_TOKEN', 'DEV_PORT', 'CHROMIUM_PATH'];

/**
 * Names that are almost names of `known` variables, as sentences: typing errors, other upper and lower case, and `_FILE` for
 * a variable that is no secret. Names that other programs use (EDITOR, MODEL) are not reported.
 */
export function findMisspelt(
  env: Environment,
  known: readonly { name: string; secret?: boolean }[],
): string[] {
  const files = known.flatMap(({ name, secret }) => (secret ? [`${name}_FILE`] : []));
  const names = [...known.map(({ name }) => name), ...files];
  const all = new Set([...names, ...OF_COMMANDS]);
  return Object.keys(env).flatMap((given) => {
    if (all.has(given) || !env[given]?.trim()) return [];
    const stem = given.replace(/_FILE$/, '');
    if (stem !== given && all.has(stem)) return [`${given} is not read: only secrets may stand in files`];
    const meant = names.find((name) => isMisspelling(given, name));
    return meant === undefined ? [] : [`${given} is not a variable of the desk: ${meant} is`];
  });
}

function isMisspelling(given: string, name: string): boolean {
  const [a, b] = [given, name].map((text) => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, ''));
  if (a === b) return true;
  // Short words are names of other programs' variables as well.
  const most = name.length < 8 ? 0 : name.length < 10 || !name.includes('_') ? 1 : 2;
  return isTransposed(a!, b!) || (Math.abs(a!.length - b!.length) <= most && editDistance(a!, b!) <= most);
}

/** Whether two neighbouring letters are swapped. */
function isTransposed(a: string, b: string): boolean {
  const at = [...a].findIndex((letter, index) => letter !== b[index]);
  return a.length === b.length && a === b.slice(0, at) + b[at + 1] + b[at] + b.slice(at + 2);
}

/** Levenshtein distance (1966). */
export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (letter === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
