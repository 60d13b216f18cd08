import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, test } from '@jest/globals';

const require = createRequire(import.meta.url);
const trimRouter: (source: string) => string = require('./trim-router.cjs');
const production = path.join(path.dirname(require.resolve('react-router/package.json')), 'dist/production');

test('no statement at the top level keeps unused parts of the installed router in the bundle', () => {
  const chunks = readdirSync(production).filter((name) => /^chunk-\w+\.mjs$/.test(name));
  const source = chunks.map((name) => readFileSync(path.join(production, name), 'utf8')).join('\n');
  const trimmed = trimRouter(source);
  expect(trimmed).not.toMatch(/^\w+\.\w+ = /m);
  const calls = /^var \w+ = (?!\/\*#__PURE__\*\/)React\d*\.\w+\(/gm;
  expect(source.match(calls)).not.toBeNull();
  expect(trimmed.match(calls)).toBeNull();
  expect(trimmed).not.toMatch(/React\d*\[|useNavigateStable\(\) :/);
});

test('a static property becomes a getter', () => {
  const trimmed = trimRouter('var A = class extends React1.Component {\n  b() {}\n};\nA.contextType = B;\n');
  expect(trimmed).toBe(
    'var A = class extends React1.Component {\n  static get contextType() { return B; }\n  b() {}\n};\n\n',
  );
});
