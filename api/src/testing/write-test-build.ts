import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Differences of a test build from the default one. */
export interface TestBuild {
  name: string;
  version?: string;
  /** Text in the screen's chunk; a different text makes a different build. */
  words?: string;
  /**
   * Names files by their content, as rspack.shared.js does. Otherwise files of two builds have the same
   * names.
   */
  isNamedByContent?: boolean;
  /** Additional files, by exact path. */
  files?: Record<string, string>;
  /** Fields of release.json to override. */
  manifest?: Record<string, unknown>;
}

const TEMPLATE =
  '<!doctype html><html lang="zh-CN"><head><title>咨询台</title><!--head--></head><body></body></html>';

/** Writes a `dist/` as rspack.shared.js creates it, and returns its folder. */
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
        ...(build.isNamedByContent ? {} : { 'index.html': TEMPLATE }),
      }
    : {
        'remoteEntry.dddd4444.js': `export const init = () => {};\nexport const get = () => {}; // ${words}\n`,
        [`chunks/${chunk}`]: `export default () => ${JSON.stringify(words)};\n${'// a screen\n'.repeat(100)}`,
        'screen.eeee5555.css': `.${name} { color: red }\n`,
      };
  const manifest = isHost
    ? {
        entry: 'main.aaaa1111.js',
        entryFiles: { js: ['main.aaaa1111.js'], css: ['main.cccc3333.css'] },
        template: TEMPLATE,
        routes: [routeTo('/login', './login')],
      }
    : {
        container: name.replaceAll('-', '_'),
        entry: 'remoteEntry.dddd4444.js',
        entryFiles: { js: ['remoteEntry.dddd4444.js'], css: [] },
        styleMarks: { 'screen.eeee5555.css': `${name}@${version}+0a1b2c3d:chunk-screen` },
        exposes: { './screen': { js: [`chunks/${chunk}`], css: ['screen.eeee5555.css'] } },
        ...(name === 'mfe-chat' ? { routes: [routeTo('/index', './screen')] } : {}),
      };
  const described = {
    name,
    version,
    contract: '1.0.0',
    shared: { react: isHost ? '19.3.1' : '^19.0.0' },
    ...manifest,
    ...build.manifest,
  };
  const names = new Map(Object.entries(files).map(([path, text]) => [path, nameOf(path, text, build)]));
  const manifestText = JSON.stringify({
    ...described,
    files: [...names.values(), ...Object.keys(build.files ?? {})],
  });
  const renamed = [...names].reduce(
    (text, [from, to]) => text.replaceAll(`"${from}"`, `"${to}"`),
    manifestText,
  );
  const written = Object.entries(files).map(([path, text]) => [names.get(path) ?? path, text]);
  await writeFiles(folder, { ...Object.fromEntries(written), ...build.files, 'release.json': renamed });
  return folder;
}

function routeTo(path: string, module: string) {
  return { path, module, guard: 'public', title: { zh: '屏幕', en: 'Screen' } };
}

function nameOf(path: string, text: string, { isNamedByContent }: TestBuild): string {
  if (!isNamedByContent) return path;
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 12);
  return path.replace(/(\.[0-9a-f]{8})?(\.\w+)$/, `.${hash}$2`);
}

async function writeFiles(folder: string, files: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
