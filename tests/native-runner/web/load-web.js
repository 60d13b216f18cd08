/**
 * Setup file of the Jest project of web workspaces in plain Node, run once per worker: their modules are compiled and
 * resolved as in `tests/web-project.js`, and libraries find a page of jsdom when they are loaded.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import compiler from '../../compile-for-jest.js';
import { openFirstPage } from './open-page.ts';

const tests = path.join(import.meta.dirname, '../..');
const urlOf = (name) => pathToFileURL(path.join(tests, name)).href;
const JEST_GLOBALS = urlOf('native-runner/jest-globals.ts');
const CLASS_NAMES = urlOf('class-names.cjs');
const EMPTY = urlOf('empty.cjs');
const RUN_FILE = urlOf('native-runner/web/run-file.ts');
const RUNNER = urlOf('native-runner/');
const PROJECT = urlOf('../');

/** For packages that web modules import: imports are compiled to `require`. */
const CONDITIONS = ['browser', 'require', 'default'];
const REAL = { 'router-real': 'react-router-dom', 'rxjs-real': 'rxjs' };

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') return { url: JEST_GLOBALS, shortCircuit: true };
    if (specifier.endsWith('.module.css')) return { url: CLASS_NAMES, shortCircuit: true };
    if (/\.(css|svg)$/.test(specifier)) return { url: EMPTY, shortCircuit: true };
    if (specifier.endsWith('?raw')) {
      const { url } = next(specifier.replace('?raw', ''), context);
      return { url: `${url}?raw`, format: 'commonjs', shortCircuit: true };
    }
    const conditions = context.conditions.includes('require') ? CONDITIONS : context.conditions;
    return next(REAL[specifier] ?? specifier, { ...context, conditions });
  },
  load(url, context, next) {
    if (!url.startsWith(PROJECT) || url.startsWith(RUNNER) || url.includes('/node_modules/'))
      return next(url, context);
    const file = fileURLToPath(url);
    // The runner imports a test file with a query.
    if (/\.test\.tsx?\?/.test(url)) {
      const source = `import { runFile } from '${RUN_FILE}';\nrunFile(${JSON.stringify(file)});`;
      return { format: 'module', source, shortCircuit: true };
    }
    if (url.endsWith('?raw')) {
      const text = JSON.stringify(readFileSync(file, 'utf8'));
      const source = `exports.__esModule = true;\nexports.default = ${text};`;
      return { format: 'commonjs', source, shortCircuit: true };
    }
    if (/\.tsx?$/.test(url)) return { format: 'commonjs', source: compiled(file), shortCircuit: true };
    return next(url, context);
  },
});

/** Compiled modules by path: each test file runs them again. */
const sources = new Map();

function compiled(file) {
  const options = { supportsStaticESM: false };
  const source = sources.get(file) ?? compiler.process(readFileSync(file, 'utf8'), file, options).code;
  sources.set(file, source);
  return source;
}

// React would create one of the inspector's tasks for every element.
delete console.createTask;
openFirstPage();
