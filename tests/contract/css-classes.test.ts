import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.join(import.meta.dirname, '../..');

const find = (pattern: string) =>
  globSync(pattern, { cwd: ROOT, exclude: (name) => /^(node_modules|dist)$/.test(path.basename(name)) });
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

const components = find('{host,mfe-*}/**/*.tsx');
const sheets = find('{host,mfe-*}/**/*.css');

/** CSS Modules give `undefined` for a class that the style sheet does not define, without any error. */
test('every class that a component takes from a CSS module is defined there', () => {
  let checked = 0;
  const missing = components.flatMap((component) => {
    const code = read(component);
    return [...code.matchAll(/^import (\w+) from '([^']+\.module\.css)';$/gm)].flatMap(
      ([, name = '', from = '']) => {
        const defined = classesOf(pathOf(from, component));
        const used = new Set(
          [...code.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map((found) => found[1] ?? ''),
        );
        checked += used.size;
        return [...used].filter((one) => !defined.has(one)).map((one) => `${component}: ${name}.${one}`);
      },
    );
  });
  expect(missing).toEqual([]);
  expect(checked).toBeGreaterThan(300);
});

test('every other class that a component names is defined in a global style sheet', () => {
  const isModule = (sheet: string) => sheet.endsWith('.module.css');
  const defined = new Set(
    sheets.filter((sheet) => !isModule(sheet)).flatMap((sheet) => [...classesOf(sheet)]),
  );
  for (const sheet of sheets.filter(isModule))
    for (const [, name = ''] of read(sheet).matchAll(/:global\(\.([\w-]+)\)/g)) defined.add(name);
  const missing = components.flatMap((component) =>
    [...read(component).matchAll(/\b(?:\w*[cC]lassName|look)=(?:"([^"]+)"|\{`([^`]+)`\})/g)].flatMap(
      ([, text = '', template = '']) =>
        `${text} ${template.replace(/\$\{[^}]*\}\S*/g, ' ')}`
          .split(/\s+/)
          .filter((name) => name !== '' && !defined.has(name))
          .map((name) => `${component}: ${name}`),
    ),
  );
  expect(missing).toEqual([]);
});

test('every state that a style sheet reads from a data attribute is set by some code', () => {
  const code = find('{host,mfe-*}/**/*.{ts,tsx,html}')
    .filter((file) => !/\.test\.|\btesting\b/.test(file))
    .map(read)
    .join('\n');
  const states = sheets.flatMap((sheet) =>
    [...read(sheet).matchAll(/\[(data-[\w-]+)/g)].map(([, name = '']) => ({ sheet, name })),
  );
  const isSet = (name: string) =>
    code.includes(name) ||
    code.includes(`dataset.${name.slice(5).replace(/-(.)/g, (_, letter: string) => letter.toUpperCase())}`);
  expect(states.filter(({ name }) => !isSet(name))).toEqual([]);
  expect(states.length).toBeGreaterThan(50);
});

test('the focus of the keyboard is visible everywhere, and texts for screen readers are not', () => {
  const base = read('host/src/styles/base.css');
  expect(base).toMatch(/^:focus-visible \{[^}]*\boutline: \d+px solid/m);
  expect(base).toMatch(/^\[hidden\] \{[^}]*\bdisplay: none !important/m);
  expect(base).toMatch(/^\.sr \{[^}]*\bclip-path: inset\(50%\)/m);
});

function pathOf(from: string, component: string): string {
  return from.startsWith('.')
    ? path.join(path.dirname(component), from)
    : from.replace(/^host\/ui\//, 'host/ui/src/');
}

function classesOf(sheet: string): Set<string> {
  return new Set([...read(sheet).matchAll(/\.([A-Za-z_][\w-]*)/g)].map((found) => found[1] ?? ''));
}
