import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

/** Changes a script of a build; `name` is its file's. */
export type Edit = (text: string, name: string) => string;

/** Replaces words that the build must say. */
export const saying =
  (from: string, to: string): Edit =>
  (text) =>
    text.replaceAll(from, to);

/** Copies a workspace's dist/ to `folder` as another version: edited scripts, and another chunk registry, as its own build would have. */
export async function copyBuild(
  workspace: string,
  folder: string,
  version: string,
  edit: Edit,
): Promise<void> {
  await cp(path.join(root, workspace, 'dist'), folder, { recursive: true });
  const manifest = await readFile(path.join(folder, 'release.json'), 'utf8');
  const built = JSON.parse(manifest);
  const registry = (text: string) =>
    text.replaceAll(`${workspace}@${built.version}+`, `${workspace}@${version}+`);
  let changed = 0;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(path.join(folder, name), 'utf8');
    const edited = edit(text, name);
    if (edited !== text) changed++;
    await writeFile(path.join(folder, name), registry(edited));
  }
  if (!changed) throw new Error(`nothing of ${workspace} was changed by the edit for ${version}`);
  const described = { ...JSON.parse(registry(manifest)), version };
  await writeFile(path.join(folder, 'release.json'), JSON.stringify(described));
}
