/**
 * `npm run new-remote -- mfe-tickets [--to ../mfe-tickets]`: writes a new remote with one screen, its tests and its settings. Without
 * `--to` it becomes a workspace of this repository; with it, a repository of its own in that empty or missing folder.
 */
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { createRemote } from './create-remote.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

await new Command('new-remote')
  .description('Create a remote with one screen, its tests and its settings')
  .argument('<name>', 'name of the remote and of its releases, such as mfe-tickets')
  .option('--to <folder>', 'a folder for a repository of its own; without it, a workspace of this repository')
  .action(async (name: string, { to }: { to?: string }) => {
    try {
      const { folder, next } = await createRemote(root, name, to);
      console.log(`${name} is in ${folder}. Next:\n${next.map((line) => `  ${line}`).join('\n')}`);
    } catch (error) {
      console.error((error as Error).message);
      process.exitCode = 1;
    }
  })
  .parseAsync();
