/** What the build reads of the project and of a workspace. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

/** This project's folder, or that of its contract package: where the host's files are, not the remote's. */
export const root = path.join(import.meta.dirname, '../..');
const require = createRequire(import.meta.url);

export function readJson(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Workspaces that are released, by name: those of package.json with a desk.json. None in the contract package. */
export const RELEASED = (readJson(path.join(root, 'package.json')).workspaces ?? []).filter((name) =>
  existsSync(path.join(root, name, 'desk.json')),
);

/** The version of a release: RELEASE_VERSION, or that of the workspace. Only release.json contains it, so that files of versions can be equal. */
export function versionOf(dir) {
  return process.env.RELEASE_VERSION || readJson(path.join(dir, 'package.json')).version;
}

/**
 * `desk.json` of a release's folder: `routes`, the routes it declares (`RouteDeclaration` of the API's contract), and `links`, paths of other
 * releases' routes that its screens link to.
 */
export function deskOf(dir) {
  const file = path.join(dir, 'desk.json');
  if (!existsSync(file)) throw new Error(`${file} must list the routes of the release`);
  const { routes, links = [] } = readJson(file);
  return { routes, links };
}

export function contractVersion() {
  const text = readFileSync(path.join(root, 'host/src/contract.ts'), 'utf8');
  const found = /HostContractVersion = '([\d.]+)'/.exec(text);
  if (!found) throw new Error('host/src/contract.ts must name HostContractVersion');
  return found[1];
}

export function containerName(name) {
  return name.replaceAll('-', '_');
}

/** Path of a package's main file. */
export function resolvePackage(name) {
  return require.resolve(name);
}

/** Where a library is installed: next to this file's package, or above it. */
export function folderOf(library) {
  return path.dirname(require.resolve(`${library}/package.json`));
}

export function installed(library) {
  return readJson(path.join(folderOf(library), 'package.json')).version;
}
