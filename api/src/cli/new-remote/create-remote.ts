import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { describePackage } from '../contract-package/describe-package.ts';
import { type RemoteFiles, repositoryFiles, sourceFiles, workspaceFiles } from './remote-files.ts';

interface Options {
  /** This project's folder. */
  root: string;
  name: string;
  /** Folder of a repository of its own; without it the remote becomes a workspace of `root`. */
  to?: string;
}

export interface CreatedRemote {
  folder: string;
  /** Commands that come next. */
  next: string[];
}

const SHARED = ['react', 'react-dom', 'react-router-dom', 'rxjs'];

/** Writes a new remote. Rejects, without writing anything, if the name is not usable or the folder has files. */
export async function createRemote({ root, name, to }: Options): Promise<CreatedRemote> {
  if (!/^mfe-[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name) || name.length > 40)
    throw new Error(`The name must look like mfe-tickets, at most 40 characters, got ${name}`);
  const folder = resolve(to ?? join(root, name));
  const present = await readdir(folder).catch(() => []);
  if (present.length > 0)
    throw new Error(`${folder} must be empty or missing, it has ${present.length} files`);

  const shared = await sharedRanges(root);
  if (to !== undefined) {
    const { version } = await describePackage(root);
    await write(folder, {
      ...sourceFiles({ name }),
      ...repositoryFiles({ name, shared, contract: version }),
    });
    return {
      folder,
      next: [
        'npm run pack:contract            # here: packs the contract package',
        `cd ${folder} && git init`,
        'npm install --save-dev ./consultation-desk-contract-….tgz && npm install',
        'npm run check && npm test && npm run dev',
      ],
    };
  }
  await write(folder, { ...sourceFiles({ name }), ...workspaceFiles({ name, shared }) });
  await edit(join(root, 'package.json'), (settings) => {
    (settings.workspaces as string[]).push(name);
  });
  await edit(join(root, 'tsconfig.json'), (settings) => {
    (settings.references as { path: string }[]).push({ path: `./${name}` });
  });
  return {
    folder,
    next: ['npm install', 'npm run check', `npm run unit -- ${name}`, `npm run dev -w ${name}`],
  };
}

async function sharedRanges(root: string): Promise<Record<string, string>> {
  const versions = SHARED.map(async (library) => {
    const text = await readFile(join(root, 'node_modules', library, 'package.json'), 'utf8');
    return [library, `^${(JSON.parse(text) as { version: string }).version}`] as const;
  });
  return Object.fromEntries(await Promise.all(versions));
}

async function write(folder: string, files: RemoteFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}

async function edit(file: string, change: (settings: Record<string, unknown>) => void): Promise<void> {
  const settings = JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>;
  change(settings);
  await writeFile(file, `${JSON.stringify(settings, null, 2)}\n`);
}
