import { createHash } from 'node:crypto';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** Changes the copy of a build in `folder`. Rejects if there is nothing to change. */
export type Change = (folder: string) => Promise<void>;

/** The fields of release.json that differ between copies. */
interface Manifest {
  version: string;
  entry: string;
  entryFiles: { js: string[]; css: string[] };
  exposes: Record<string, unknown>;
  files: string[];
}

/** Replaces a text in all scripts of a build. */
export const replacingText =
  (from: string, to: string): Change =>
  async (folder) => {
    const changed = await editScripts(folder, (text) => text.replaceAll(from, to));
    if (changed === 0) throw new Error(`no script in ${folder} contains ${from}`);
  };

/** Changes the scripts whose names match `names`. */
export const editingScripts =
  (names: RegExp, edit: (text: string) => string): Change =>
  async (folder) => {
    if ((await editScripts(folder, edit, names)) === 0)
      throw new Error(`no script in ${folder} matches ${names}`);
  };

/**
 * Adds an entry that wraps the build's own entry. It passes the function that runs the module `expose` to `wrap`, whose result is the
 * module that the host gets. `wrap` is copied as source text and must not use outer variables.
 */
export function wrappingModule<Module>(expose: string, wrap: (run: () => Module) => unknown): Change {
  return (folder) =>
    replaceEntry(folder, (own, { exposes }) => {
      if (!(expose in exposes)) throw new Error(`${folder} does not expose ${expose}`);
      return `import * as own from './${own}';
const wrap = ${wrap};
export const init = own.init;
export async function get(expose) {
  const run = await own.get(expose);
  return expose === ${JSON.stringify(expose)} ? () => wrap(run) : run;
}
`;
    });
}

/** Makes the entry expose its modules by other names. */
export const renamingModules: Change = (folder) =>
  replaceEntry(
    folder,
    (own) => `import * as own from './${own}';
export const init = own.init;
export const get = (expose) => own.get(expose + '-renamed');
`,
  );

const isSourceMap = (file: string) => file.endsWith('.map');

/**
 * Copies a workspace's dist/ to `folder` as another version, without its source maps: they are two thirds of the bytes that a server would have
 * to receive, check and compress. Changed files keep their names, so the copy needs its own address.
 */
export async function copyBuild(
  workspace: string,
  folder: string,
  version: string,
  ...changes: Change[]
): Promise<void> {
  const filter = (file: string) => !isSourceMap(file);
  await cp(path.join(root, workspace, 'dist'), folder, { recursive: true, filter });
  const manifest = await readManifest(folder);
  await writeManifest(folder, { ...manifest, version, files: manifest.files.filter(filter) });
  for (const change of changes) await change(folder);
}

async function replaceEntry(
  folder: string,
  write: (own: string, manifest: Manifest) => string,
): Promise<void> {
  const manifest = await readManifest(folder);
  const text = write(manifest.entry, manifest);
  const entry = `remoteEntry.${createHash('sha256').update(text).digest('hex').slice(0, 8)}.js`;
  await writeFile(path.join(folder, entry), text);
  const { entryFiles, files } = manifest;
  await writeManifest(folder, {
    ...manifest,
    entry,
    entryFiles: { ...entryFiles, js: [...entryFiles.js, entry] },
    files: [...files, entry].sort(),
  });
}

/** Resolves with the number of changed scripts. */
async function editScripts(folder: string, edit: (text: string) => string, names = /^/): Promise<number> {
  let changed = 0;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js') || !names.test(name)) continue;
    const text = await readFile(path.join(folder, name), 'utf8');
    const edited = edit(text);
    if (edited === text) continue;
    changed++;
    await writeFile(path.join(folder, name), edited);
  }
  return changed;
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(path.join(folder, 'release.json'), 'utf8'));
}

function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  return writeFile(path.join(folder, 'release.json'), JSON.stringify(manifest));
}
