import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtempDisposable, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { RoutePath } from '../../releases/data/release-description.ts';
import { describePackage, PACKAGE, readSharedRanges } from '../contract-package/describe-package.ts';

export interface CreatedRemote {
  folder: string;
  /** Commands that come next. */
  next: string[];
}

/** Writes a new remote. Rejects, without writing anything, if the name or its path is not usable or the folder has files. */
export async function createRemote(root: string, name: string, to?: string): Promise<CreatedRemote> {
  if (!/^mfe-[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new Error(`The name must look like mfe-tickets, at most 40 characters, got ${name}`);
  const folder = resolve(to ?? join(root, name));
  const present = await readdir(folder).catch(() => []);
  if (present.length > 0)
    throw new Error(`${folder} must be empty or missing, it has ${present.length} files`);
  await assertPathIsFree(name, root);

  const values = { ...valuesOf(name), shared: JSON.stringify(await readSharedRanges(root)) };
  // Its routes, one screen in both languages with a test, the contract test, and the page for development.
  const source = filesOf('remote', values);
  if (to !== undefined) {
    const { version } = await describePackage(root);
    // Derived from the name and above the ports of this project, so that dev servers of several remotes can run together.
    const port = 3100 + (createHash('sha256').update(name).digest().readUInt16BE() % 800);
    const own = filesOf('repository', { ...values, contract: version, port: String(port) });
    await write(folder, { ...source, ...repositorySettings(name), ...own }, root);
    return {
      folder,
      next: [
        `npm run pack:contract -- ${folder}    # here: packs the contract package`,
        `cd ${folder} && git init`,
        `npm install --save-dev ./${PACKAGE}-${version}.tgz && npm install`,
        'npm run check && npm test && npm run dev',
      ],
    };
  }
  await write(folder, { ...source, ...filesOf('workspace', values) }, root);
  await edit(join(root, 'package.json'), (text) => {
    const settings = JSON.parse(text) as { workspaces: string[] };
    settings.workspaces.push(name);
    return `${JSON.stringify(settings, null, 2)}\n`;
  });
  // The last element with the space before it, so that the file keeps its format.
  await edit(join(root, 'tsconfig.json'), (text) =>
    text.replace(/(\s*)\{[^{}]*\}(?=\s*\])/, (last, space) => `${last},${space}{ "path": "./${name}" }`),
  );
  return {
    folder,
    next: ['npm install', 'npm run check', `npm run unit -- ${name}`, `npm run dev -w ${name}`],
  };
}

/** A release with this path could not be published, or not go live beside the remotes of this project. */
async function assertPathIsFree(name: string, root: string): Promise<void> {
  const path = `/${screenOf(name)}`;
  const { error } = RoutePath.safeParse(path);
  if (error) throw new Error(`Choose another name: the path ${path} ${error.issues[0]?.message}`);
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  for (const workspace of workspaces.filter((other) => other !== name)) {
    const text = await readFile(join(root, workspace, 'desk.json'), 'utf8').catch(() => '{}');
    const { routes = [] } = JSON.parse(text) as { routes?: { path: string }[] };
    if (routes.some((route) => route.path === path))
      throw new Error(`Choose another name: the path ${path} belongs to ${workspace}`);
  }
}

/** Writes the files in the format of this project: the order of imports and the width of lines depend on the name. */
async function write(folder: string, files: RemoteFiles, root: string): Promise<void> {
  await using draft = await mkdtempDisposable(join(tmpdir(), 'new-remote-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(draft.path, path)), { recursive: true });
    await writeFile(join(draft.path, path), text);
  }
  await format(draft.path, root);
  await cp(draft.path, folder, { recursive: true });
}

/** Like `npm run format`, with the settings of this project. */
async function format(folder: string, root: string): Promise<void> {
  const { formatter, javascript } = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
  await using settings = await mkdtempDisposable(join(tmpdir(), 'biome-'));
  await writeFile(join(settings.path, 'biome.json'), JSON.stringify({ root: true, formatter, javascript }));
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
  const options = ['check', '--write', '--linter-enabled=false', '--config-path', settings.path, folder];
  await promisify(execFile)(process.execPath, [biome, ...options]);
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  await writeFile(file, change(await readFile(file, 'utf8')));
}

/** Files by their path in the remote's folder. */
type RemoteFiles = Readonly<Record<string, string>>;

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

/** The forms of the name that the templates contain. */
function valuesOf(name: string) {
  const screen = screenOf(name);
  return {
    name,
    screen,
    // Name of the screen's file, which no other file in src/ has.
    file: ['contract', 'standalone', 'texts'].includes(screen) ? `${screen}-screen` : screen,
    Screen: `${screen.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Screen`,
    title: screen.replaceAll('-', ' ').replace(/^\w/, (letter) => letter.toUpperCase()),
    package: PACKAGE,
  };
}

/** Settings of the tools, which the contract package provides. */
export function repositorySettings(name: string): RemoteFiles {
  return filesOf('settings', valuesOf(name));
}

/** 'tickets' of 'mfe-tickets'. */
function screenOf(name: string): string {
  return name.replace(/^mfe-/, '');
}
