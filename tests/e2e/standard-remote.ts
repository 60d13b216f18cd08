import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Desk } from '../start-desk.ts';
import { OPS } from './deploy.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../..');

export type Library = 'module' | 'var';

export interface StandardRemote {
  folder: string;
  /** Builds its sources, with the texts in `changes` replaced, and resolves to the folder of the build. */
  build(library: Library, changes?: Record<string, string>): Promise<string>;
  remove(): Promise<void>;
}

/** What each bundler is run with; rspack is a package of this project, the others are installed. */
const BUNDLERS = {
  rspack: { packages: [], command: ['@rspack/cli/bin/rspack.js', 'build'] },
  webpack: {
    packages: [
      // Newer ones lack a file that the plugin imports.
      'webpack@5.104.1',
      'webpack-cli@6',
      'css-loader@7',
      'mini-css-extract-plugin@2',
      'swc-loader@0.2',
      '@swc/core@1',
      '@module-federation/enhanced@2.9.2',
    ],
    command: ['webpack/bin/webpack.js'],
  },
  vite: {
    packages: ['vite@8', '@vitejs/plugin-react@6', '@module-federation/vite@1'],
    command: ['vite/bin/vite.js', 'build'],
  },
} as const;

/** A copy of tests/standard-remote in a temporary folder, with the packages of its bundler. */
export async function openStandardRemote(bundler: keyof typeof BUNDLERS): Promise<StandardRemote> {
  const { packages, command } = BUNDLERS[bundler];
  const folder = await mkdtemp(path.join(os.tmpdir(), 'standard-'));
  const source = path.join(import.meta.dirname, '../standard-remote');
  await cp(source, folder, { recursive: true });
  if (packages.length === 0)
    await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  else
    await run(
      'npm',
      ['install', '--no-audit', '--no-fund', '--no-save', 'react@19', 'react-dom@19', ...packages],
      {
        cwd: folder,
      },
    );
  // Playwright's NODE_ENV is unknown to builds.
  const { NODE_ENV: _, ...env } = process.env;
  return {
    folder,
    async build(library, changes = {}) {
      await cp(path.join(source, 'src'), path.join(folder, 'src'), { recursive: true });
      for (const name of await readdir(path.join(folder, 'src'))) {
        const file = path.join(folder, 'src', name);
        const text = await readFile(file, 'utf8');
        const changed = Object.entries(changes).reduce((all, [from, to]) => all.replace(from, to), text);
        if (changed !== text) await writeFile(file, changed);
      }
      const out = await mkdtemp(path.join(folder, 'dist-'));
      const [program, ...args] = command;
      await run(process.execPath, [path.join(folder, 'node_modules', program), ...args], {
        cwd: folder,
        env: { ...env, LIBRARY: library, OUT: out },
      });
      return out;
    },
    remove: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

/** Publishes a build with the release command, in English, and resolves to the id of the release. */
export async function releaseStandard(desk: Desk, folder: string, version: string): Promise<string> {
  const args = ['api/src/cli/release.ts', '--folder', folder, '--version', version, '--json', '--lang', 'en'];
  const { stdout } = await run(process.execPath, [...args, '--server', desk.url], {
    cwd: root,
    env: { ...process.env, ...OPS, RELEASE_TOKEN: '' },
  });
  return (JSON.parse(stdout) as { id: string }).id;
}
