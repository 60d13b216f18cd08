import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runRspack } from '../../api/src/cli/compile-with-rspack.ts';
import { isNamedByContent } from '../../api/src/releases/data/release-keys.ts';
import { type BuildToSend, readBuildToSend } from '../../api/src/releases/publish/read-build.ts';
import { isMapOf, isSourceMap } from '../../api/src/releases/publish/source-maps.ts';

const root = path.join(import.meta.dirname, '../..');

/** A remote with a screen, two lazily loaded parts, and a style sheet for each of the three. */
const SOURCES = {
  'src/screen.ts': `import styles from './screen.module.css';
export default () => [styles.title, 'the screen', import('./first.ts'), import('./second.ts')];
`,
  'src/first.ts': "import styles from './first.module.css';\nexport default [styles.title, 'first words'];\n",
  'src/second.ts':
    "import styles from './second.module.css';\nexport default [styles.title, 'second words'];\n",
  'src/screen.module.css': '.title { color: red }\n',
  'src/first.module.css': '.title { color: green }\n',
  'src/second.module.css': '.title { color: blue }\n',
};

let folder: string;
let before: BuildToSend;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'mfe-small-'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  before = await build({});
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds the sources with these changes. */
async function build(changes: Partial<typeof SOURCES>, version = '1.0.0'): Promise<BuildToSend> {
  const files = {
    ...SOURCES,
    ...changes,
    'desk.json': JSON.stringify({ routes: [] }),
    'package.json': JSON.stringify({ name: 'mfe-small', version, type: 'module' }),
    'rspack.config.js': `import { defineRemote } from '${path.join(root, 'rspack.shared.js')}';
export default defineRemote({ name: 'mfe-small', dir: import.meta.dirname, exposes: { './screen': './src/screen.ts' } });
`,
  };
  await mkdir(path.join(folder, 'src'), { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, name), text);
  await runRspack({ root, folder, name: 'mfe-small' });
  return readBuildToSend(path.join(folder, 'dist'));
}

/** Names, without hashes, of files that are in only one of the builds. */
function changed({ contents }: BuildToSend): string[] {
  const names = [...contents.keys()].filter((name) => !before.contents.has(name) && !isSourceMap(name));
  return names.map((name) => name.replace(/\.[0-9a-f]+(?=\.\w+$)/, '')).sort();
}

test('every file is named by its content', () => {
  for (const [name, bytes] of before.contents)
    expect([name, isNamedByContent(name, bytes)]).toEqual([name, true]);
});

test('every script has a source map, without a reference to it', () => {
  const names = [...before.contents.keys()];
  for (const [name, bytes] of before.contents) {
    if (!name.endsWith('.js')) continue;
    expect(names.filter((other) => isMapOf(other, name))).toHaveLength(1);
    expect(bytes.includes('sourceMappingURL')).toBe(false);
  }
});

test('another version of the same sources has the same files', async () => {
  const next = await build({}, '1.0.1');
  expect(next.upload.version).toBe('1.0.1');
  expect([...next.contents.keys()].sort()).toEqual([...before.contents.keys()].sort());
});

test('another string changes the file that contains it and the entry that names that file', async () => {
  const next = await build(
    { 'src/first.ts': SOURCES['src/first.ts'].replace('words', 'sentences') },
    '1.0.2',
  );
  expect(changed(next)).toEqual(['remoteEntry.js', 'src_first_ts.js']);
});

test('another rule changes the sheet, the script with its class names, and the entry; no class has two meanings', async () => {
  const next = await build({ 'src/first.module.css': '.title { color: black }\n' }, '1.0.3');
  expect(changed(next)).toEqual(['remoteEntry.js', 'src_first_ts.css', 'src_first_ts.js']);
  const rules = [before, next].flatMap(({ contents }) =>
    [...contents].filter(([name]) => name.endsWith('.css')).map(([, bytes]) => bytes.toString()),
  );
  const classes = new Set(rules).size;
  expect(new Set([...new Set(rules)].map((rule) => /\.([\w-]+)/.exec(rule)?.[1])).size).toBe(classes);
});

test('only release.json contains the version', async () => {
  const text = await readFile(path.join(folder, 'dist/release.json'), 'utf8');
  const { version } = JSON.parse(text);
  const { contents } = await readBuildToSend(path.join(folder, 'dist'));
  for (const [name, bytes] of contents)
    expect([name, bytes.includes(`mfe-small@${version}`)]).toEqual([name, false]);
});
