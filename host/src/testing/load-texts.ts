import { globSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect } from '@jest/globals';
import { languages } from 'api/contract/language';
import type { Texts } from '../contract.ts';
import { loadFile } from '../i18n/create-i18n.ts';

/** The workspaces of the host and of the design system. */
const HOST = path.join(import.meta.dirname, '../..');

// In the page the host loads the texts of a screen before it renders it. Tests render at once, in any language.
beforeAll(async () => {
  const workspace = expect.getState().testPath!.replace(/\/src\/(?!.*\/src\/).*/, '');
  const definitions = [workspace, HOST, path.join(HOST, 'ui')].flatMap((folder) =>
    globSync('src/**/*texts.ts', { cwd: folder }).map((file) => path.join(folder, file)),
  );
  const modules: Record<string, unknown>[] = await Promise.all(definitions.map((file) => import(file)));
  const files = modules
    .flatMap((module) => Object.values(module))
    .flatMap((exported) => (exported as Partial<Texts<object>>).files ?? []);
  await Promise.all(files.flatMap((file) => languages.map((language) => loadFile(file, language))));
});
