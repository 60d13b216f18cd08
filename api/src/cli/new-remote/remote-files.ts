import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { PACKAGE } from '../contract-package/describe-package.ts';

/** Files by their path in the remote's folder. */
export type RemoteFiles = Readonly<Record<string, string>>;

interface NewRemote {
  /** 'mfe-tickets'; the part after 'mfe-' names its first screen and its path. */
  name: string;
  /** Versions of the shared libraries, as ranges. */
  shared: Readonly<Record<string, string>>;
}

/**
 * The files below template/`part`, with the values of the remote in place of `{{name}}`. Their names end in `.txt`, so that no tool takes them for
 * code of this project.
 */
function filesOf(
  part: 'remote' | 'workspace' | 'repository' | 'settings',
  values: Readonly<Record<string, string>>,
): RemoteFiles {
  const folder = join(import.meta.dirname, 'template', part);
  const filled = (text: string) =>
    text.replace(/\{\{(\w+)\}\}/g, (placeholder, key: string) => values[key] ?? placeholder);
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(
    paths.map((path) => [
      filled(
        relative(folder, path)
          .split(sep)
          .join('/')
          .replace(/\.txt$/, ''),
      ),
      filled(readFileSync(path, 'utf8')),
    ]),
  );
}

/** What the templates call the parts of the name. */
function valuesOf(name: string) {
  const screen = screenOf(name);
  return {
    name,
    screen,
    // Name of the screen's file, unlike those of the other files in src/.
    file: ['contract', 'standalone', 'texts'].includes(screen) ? `${screen}-screen` : screen,
    Screen: `${screen.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Screen`,
    title: screen.replaceAll('-', ' ').replace(/^\w/, (letter) => letter.toUpperCase()),
    package: PACKAGE,
  };
}

/**
 * Files of a remote that are the same wherever it lives: its routes, one screen in both languages with a test, the contract test, and
 * the page for development.
 */
export function sourceFiles({ name }: Pick<NewRemote, 'name'>): RemoteFiles {
  return filesOf('remote', valuesOf(name));
}

/** Settings of a remote in this repository, beside the others. */
export function workspaceFiles({ name, shared }: NewRemote): RemoteFiles {
  return filesOf('workspace', { ...valuesOf(name), shared: JSON.stringify(shared) });
}

/**
 * Settings of a remote in a repository of its own. `contract` is the version of the contract package, `port` that of the dev server.
 */
export function repositoryFiles({
  name,
  shared,
  contract,
  port,
}: NewRemote & { contract: string; port: number }): RemoteFiles {
  const values = { ...valuesOf(name), shared: JSON.stringify(shared), contract, port: String(port) };
  return { ...repositorySettings(name), ...filesOf('repository', values) };
}

/** Settings of the tools, which the contract package provides. */
export function repositorySettings(name: string): RemoteFiles {
  return filesOf('settings', valuesOf(name));
}

/** 'tickets' of 'mfe-tickets'. */
export function screenOf(name: string): string {
  return name.replace(/^mfe-/, '');
}
