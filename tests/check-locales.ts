/**
 * Checks the texts of every workspace with a folder `locales/<language>/<area>.json`: the same files, keys and placeholders in each registered
 * language, the plural forms that the language has, and no key that the source never mentions. English is the reference, because a text that a
 * language lacks is shown in English. A key counts as used if it stands in quotes, or fits a template such as `health.${range}`.
 */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Language, languages } from '../api/src/contract/language.ts';

/** A text, or its forms by the categories of `Intl.PluralRules`. */
type Text = string | Record<string, string>;

const REFERENCE: Language = 'en';
/** The project's folder, unless the argument names another. */
const root = path.resolve(process.argv[2] ?? path.join(import.meta.dirname, '..'));

const problems = workspacesWithTexts().flatMap((workspace) => checkWorkspace(path.join(root, workspace)));
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;

function workspacesWithTexts(): string[] {
  const { workspaces } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  return workspaces.filter((workspace) => existsSync(path.join(root, workspace, 'locales')));
}

function checkWorkspace(folder: string): string[] {
  const name = path.relative(root, folder);
  const locales = path.join(folder, 'locales');
  const unregistered = readdirSync(locales).filter((language) => !languages.some((one) => one === language));
  const areas = areasOf(path.join(locales, REFERENCE));
  const isUsed = usesOf(path.join(folder, 'src'));
  return [
    ...unregistered.map(
      (language) => `${name}/locales/${language}: register it in api/src/contract/language.ts`,
    ),
    ...languages.flatMap((language) => compareLanguage(name, language, areas)),
    ...[...areas].flatMap(([area, texts]) =>
      [...texts.keys()]
        .filter((key) => !isUsed(key))
        .map((key) => `${name}/locales/${REFERENCE}/${area}: "${key}" is unused`),
    ),
  ];
}

function areasOf(folder: string): Map<string, Map<string, Text>> {
  if (!existsSync(folder)) return new Map();
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return new Map(
    files.map((file) => [
      file,
      new Map(
        Object.entries(JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, Text>),
      ),
    ]),
  );
}

function compareLanguage(
  workspace: string,
  language: Language,
  reference: Map<string, Map<string, Text>>,
): string[] {
  const own = areasOf(path.join(root, workspace, 'locales', language));
  return [...new Set([...reference.keys(), ...own.keys()])].flatMap((area) => {
    const file = `${workspace}/locales/${language}/${area}`;
    const [expected, actual] = [reference.get(area), own.get(area)];
    if (!actual) return [`${file} is missing`];
    if (!expected) return [`${file}: ${REFERENCE} has no such file`];
    return [
      ...[...expected.keys()].filter((key) => !actual.has(key)).map((key) => `${file}: "${key}" is missing`),
      ...[...actual].flatMap(([key, text]) => {
        const counterpart = expected.get(key);
        if (counterpart === undefined) return [`${file}: ${REFERENCE} has no "${key}"`];
        return compareText(text, counterpart, language).map((fault) => `${file}: "${key}" ${fault}`);
      }),
    ];
  });
}

function compareText(text: Text, reference: Text, language: Language): string[] {
  if (typeof text !== typeof reference) return [`must have plural forms in every language or in none`];
  const faults: string[] = [];
  const [own, expected] = [placeholdersOf(text), placeholdersOf(reference)];
  if (own !== expected)
    faults.push(`has the placeholders ${own || '(none)'}, ${REFERENCE} has ${expected || '(none)'}`);
  if (typeof text === 'object') {
    const categories = new Intl.PluralRules(language)
      .resolvedOptions()
      .pluralCategories.toSorted()
      .join(', ');
    const forms = Object.keys(text).toSorted().join(', ');
    if (forms !== categories) faults.push(`has the plural forms ${forms}, ${language} has ${categories}`);
  }
  return faults;
}

/** Of all plural forms together: one of them may be "One record". */
function placeholdersOf(text: Text): string {
  const forms = typeof text === 'string' ? text : Object.values(text).join(' ');
  return [...new Set(forms.match(/\{\w+\}/g))].toSorted().join(' ');
}

/** Whether a source file of `folder`, tests aside, mentions a key. */
function usesOf(folder: string): (key: string) => boolean {
  const literals = new Set<string>();
  const templates = new Set<string>();
  for (const file of globSync('**/*.{ts,tsx,mjs,js,json}', { cwd: folder })) {
    if (/\.test\.|(^|\/)testing\//.test(file)) continue;
    const source = readFileSync(path.join(folder, file), 'utf8');
    for (const [, , literal] of source.matchAll(/(['"`])([\w.-]+)\1/g)) literals.add(literal!);
    for (const [, template] of source.matchAll(/`((?:[\w.-]|\$\{[^{}`]*\})+)`/g)) {
      const parts = template!.split(/\$\{[^{}]*\}/);
      // Anything would fit a template with nothing but a separator of its own.
      if (parts.some((part) => /\w{2}/.test(part)))
        templates.add(parts.map((part) => part.replaceAll('.', '\\.')).join('.+'));
    }
  }
  const composed = new RegExp(`^(?:${[...templates].join('|') || '(?!)'})$`);
  return (key) => literals.has(key) || composed.test(key);
}
