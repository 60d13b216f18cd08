import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = path.join(import.meta.dirname, '../..');

const components = globSync('{host,mfe-*}/**/*.tsx', {
  cwd: ROOT,
  exclude: (name) => /^(node_modules|dist)$/.test(path.basename(name)),
});

/** CSS Modules give `undefined` for a class that the style sheet does not define, without any error. */
test('every class that a component takes from a CSS module is defined there', () => {
  let checked = 0;
  const missing = components.flatMap((component) => {
    const code = readFileSync(path.join(ROOT, component), 'utf8');
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

function pathOf(from: string, component: string): string {
  return from.startsWith('.')
    ? path.join(ROOT, path.dirname(component), from)
    : path.join(ROOT, from.replace(/^host\/ui\//, 'host/ui/src/'));
}

function classesOf(sheet: string): Set<string> {
  return new Set(
    [...readFileSync(sheet, 'utf8').matchAll(/\.([A-Za-z_][\w-]*)/g)].map((found) => found[1] ?? ''),
  );
}
