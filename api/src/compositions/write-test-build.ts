import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** What a test wants to differ from an ordinary build. */
export interface TestBuild {
  name: string;
  version?: string;
  /** Ends up in the screen's chunk, so that other words are another build. */
  words?: string;
  /** Fields of release.json that are to be otherwise. */
  manifest?: Record<string, unknown>;
}

/** Writes a `dist/` of the kind that rspack.shared.js leaves behind, and returns its folder. */
export async function writeTestBuild(root: string, build: TestBuild): Promise<string> {
  const { name, version = '1.0.0', words = 'first' } = build;
  const folder = join(root, `${name}-${version}-${words.replaceAll(' ', '-')}`, 'dist');
  const isHost = name === 'host';
  const chunk = `screen.${Buffer.from(words).toString('hex').slice(0, 8)}.js`;
  const files: Record<string, string> = isHost
    ? {
        'main.aaaa1111.js': `export const words = ${JSON.stringify(words)};\n${'// the host\n'.repeat(100)}`,
        'lazy.bbbb2222.js': 'export default 1;\n',
        'main.cccc3333.css': 'body { margin: 0 }\n',
        'index.html':
          '<!doctype html><html lang="zh-CN"><head><title>咨询台</title><!--head--></head><body></body></html>',
      }
    : {
        'remoteEntry.dddd4444.js': `export const init = () => {}; // ${words}\n`,
        [`chunks/${chunk}`]: `export default () => ${JSON.stringify(words)};\n${'// a screen\n'.repeat(100)}`,
        'screen.eeee5555.css': `.${name} { color: red }\n`,
      };
  const manifest = isHost
    ? {
        entry: 'main.aaaa1111.js',
        entryFiles: { js: ['main.aaaa1111.js'], css: ['main.cccc3333.css'] },
        routes: { '/': 'mfe-chat/./screen', '/index': 'mfe-chat/./screen' },
      }
    : {
        container: name.replaceAll('-', '_'),
        entry: 'remoteEntry.dddd4444.js',
        entryFiles: { js: ['remoteEntry.dddd4444.js'], css: [] },
        styleMarks: { 'screen.eeee5555.css': `${name}@${version}+0a1b2c3d:chunk-screen` },
        exposes: { './screen': { js: [`chunks/${chunk}`], css: ['screen.eeee5555.css'] } },
      };
  const described = {
    name,
    version,
    contract: '1.0.0',
    shared: { react: isHost ? '19.3.1' : '^19.0.0' },
    ...manifest,
    ...build.manifest,
  };
  await writeFiles(folder, {
    ...files,
    'release.json': JSON.stringify({ ...described, files: Object.keys(files) }),
  });
  return folder;
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
