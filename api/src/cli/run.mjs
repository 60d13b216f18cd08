/**
 * Runs a TypeScript program of this project: `node api/src/cli/run.mjs api/src/cli/start.ts …`. Plain JavaScript, so that an installation that cannot
 * run it is reported in one sentence: with `ignore-scripts` the package `node` has no Node.js, and the shell's may be too old for TypeScript.
 */
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Of the server, and of the build. */
const NEEDED = ['koa', '@rspack/cli'];

const problem = findProblem();
if (problem) {
  console.error(problem);
  process.exitCode = 1;
} else {
  const [node, , program, ...args] = process.argv;
  const file = resolve(program);
  process.argv = [node, file, ...args];
  // As api/src/config/enable-compile-cache.ts does, but before any TypeScript is loaded.
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/desk-compiled');
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE);
  await import(pathToFileURL(file).href);
}

function findProblem() {
  // The bundler takes them for parts of a request.
  const [mark] = /[#!?]/.exec(root) ?? [];
  if (mark)
    return `The project cannot be built in a folder with "${mark}" in its path: ${root} Move it to another folder.`;
  if (!NEEDED.some(isInstalled)) return 'The packages are not installed. Run: npm ci';
  const missing = NEEDED.filter((name) => !isInstalled(name));
  if (missing.length > 0)
    return `The installation lacks ${missing.join(', ')}: it was made without development packages, which building needs. Run: npm ci --include=dev`;
  if (process.features.typescript) return undefined;
  const hasOwn = existsSync(join(root, 'node_modules/node/bin/node'));
  const fix = hasOwn
    ? 'Start it by npm, which uses the Node.js of node_modules'
    : 'The package "node" provides it, but its install script has not run (ignore-scripts). Run: npm rebuild node --ignore-scripts=false';
  return `This project needs Node.js 22.18 or newer to run, and found ${process.version}. ${fix}`;
}

function isInstalled(name) {
  // Found like Node finds it: workspaces may have packages of their own, and parents of this folder, too.
  const paths = createRequire(join(root, 'api/package.json')).resolve.paths(name) ?? [];
  return paths.some((folder) => existsSync(join(folder, name, 'package.json')));
}
