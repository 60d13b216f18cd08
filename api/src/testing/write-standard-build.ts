import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The content of mf-manifest.json of `writeStandardBuild`. */
export type StandardManifest = ReturnType<typeof standardManifest>;

export interface StandardTestBuild {
  /** Changes mf-manifest.json. */
  manifest?(manifest: StandardManifest): unknown;
  /** Additional or changed files of the project, by path; null removes one. The build is in `dist/`. */
  files?: Record<string, string | null>;
}

export const DESK_JSON = {
  routes: [{ path: '/tickets', module: './Tickets', guard: 'session', title: { zh: '工单', en: 'Tickets' } }],
};

/**
 * Writes a project whose `dist/` is like the output of `@module-federation/enhanced` with
 * `library: { type: 'module' }`, and returns that folder.
 */
export async function writeStandardBuild(
  root: string,
  { manifest = (same) => same, files = {} }: StandardTestBuild = {},
): Promise<string> {
  const all: Record<string, string | null> = {
    'package.json': JSON.stringify({ name: 'tickets', version: '2.1.0' }),
    'desk.json': JSON.stringify(DESK_JSON),
    'dist/remoteEntry.js':
      'const options = { name: "tickets" };\nexport const init = () => options;\nexport const get = () => {};\n',
    'dist/Tickets.js': 'export default () => "tickets";\n',
    'dist/Tickets.css': '.tickets { color: red }\n',
    'dist/details.js': 'export default 1;\n',
    'dist/react.js': 'export const __CLIENT_INTERNALS_DO_NOT_USE = 1;\n',
    'dist/lodash.js': 'export default {};\n',
    'dist/Tickets.js.map': '{}',
    'dist/assets/mark.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'dist/index.html': '<!doctype html>',
    'dist/mf-stats.json': '{}',
    'dist/@mf-types.zip': 'zip',
    'dist/@mf-types.d.ts': 'export {};\n',
    'dist/.vite/manifest.json': '{}',
    'dist/mf-manifest.json': JSON.stringify(manifest(standardManifest())),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    if (text === null) continue;
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return join(root, 'dist');
}

function standardManifest() {
  const assets = (sync: string[], async: string[] = [], css: string[] = []) => ({
    js: { sync, async },
    css: { sync: css, async: [] as string[] },
  });
  return {
    id: 'tickets',
    name: 'tickets',
    metaData: {
      name: 'tickets',
      globalName: 'tickets',
      publicPath: 'auto',
      buildInfo: { buildVersion: 'local', buildName: 'tickets' },
      remoteEntry: { name: 'remoteEntry.js', path: '', type: 'module' },
      types: { path: '', name: '', zip: '@mf-types.zip', api: '@mf-types.d.ts' },
      pluginVersion: '2.9.2',
    } as Record<string, unknown>,
    shared: [
      {
        id: 'tickets:react',
        name: 'react',
        version: '19.3.1',
        singleton: true,
        requiredVersion: '^19.0.0' as string | null | false,
        assets: assets(['react.js']),
      },
      {
        id: 'tickets:lodash',
        name: 'lodash',
        version: '4.17.21',
        singleton: true,
        requiredVersion: null,
        assets: assets(['lodash.js']),
      },
    ],
    remotes: [] as unknown[],
    exposes: [
      {
        id: 'tickets:Tickets',
        name: 'Tickets',
        path: './Tickets',
        assets: assets(['Tickets.js'], ['details.js'], ['Tickets.css']),
      },
    ],
  };
}
