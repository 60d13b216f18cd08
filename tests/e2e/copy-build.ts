import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

interface Changes {
  version: string;
  /** A text of its scripts, and what the copy says instead. */
  from: string;
  to: string;
}

/** Copies a workspace's dist/ to `folder` as another version: other words, and another chunk registry, as its own build would have. */
export async function copyBuild(
  workspace: string,
  folder: string,
  { version, from, to }: Changes,
): Promise<void> {
  await cp(path.join(root, workspace, 'dist'), folder, { recursive: true });
  const release = JSON.parse(await readFile(path.join(folder, 'release.json'), 'utf8'));
  const registry = `${workspace}@${release.version}+`;
  let changed = 0;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(path.join(folder, name), 'utf8');
    if (text.includes(from)) changed++;
    const other = text.replaceAll(from, to).replaceAll(registry, `${workspace}@${version}+`);
    await writeFile(path.join(folder, name), other);
  }
  if (!changed) throw new Error(`no script of ${workspace} says ${from}`);
  const styleMarks = Object.fromEntries(
    Object.entries<string>(release.styleMarks ?? {}).map(([file, mark]) => [
      file,
      mark.replace(registry, `${workspace}@${version}+`),
    ]),
  );
  await writeFile(path.join(folder, 'release.json'), JSON.stringify({ ...release, version, styleMarks }));
}
