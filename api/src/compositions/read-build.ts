import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { keySegments } from '../files/file-store.ts';
import type { Release, ReleaseFile, Route } from '../models/release.ts';
import { canonicalHash, integrityOf } from './canonical-hash.ts';
import { mediaType } from './media-type.ts';

/** What a workspace's `dist/` holds, read and checked: a release that has no place yet. */
export interface Build
  extends Omit<Release, '_id' | 'base' | 'createdAt' | 'publishedAt' | 'publishedBy' | 'removed'> {
  files: ReleaseFile[];
  /** By path. */
  contents: Map<string, Buffer>;
}

const NAME = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/);
const VERSION = z.string().regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/);
const PATHS = z.array(z.string()).default([]);
const ASSETS = z.object({ js: PATHS, css: PATHS });
const MANIFEST = z.object({
  name: NAME,
  version: VERSION,
  container: z.string().default(''),
  contract: z.string(),
  entry: z.string(),
  entryFiles: ASSETS.default({ js: [], css: [] }),
  exposes: z.record(z.string(), ASSETS).default({}),
  shared: z.record(z.string(), z.string()).default({}),
  routes: z.record(z.string(), z.string().regex(/^[a-z][a-z0-9-]*\/.+$/)).default({}),
  commit: z.string().nullable().default(null),
  styleMarks: z.record(z.string(), z.string()).default({}),
  files: z.array(z.string()).min(1),
});

/**
 * Reads `folder/release.json` and every file that it lists. Rejects with a sentence that names the folder when the build is
 * missing, names a file that is not there, or points outside its folder.
 */
export async function readBuild(folder: string): Promise<Build> {
  const manifest = await readManifest(folder);
  const contents = new Map<string, Buffer>();
  await Promise.all(
    manifest.files.map(async (path) => {
      keySegments(path);
      contents.set(path, await readFile(join(folder, path)));
    }),
  );
  const files = [...contents]
    .map(([path, bytes]) => describeFile(path, bytes, manifest.styleMarks[path] ?? ''))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
  const content = {
    container: manifest.container,
    contract: manifest.contract,
    entry: manifest.entry,
    entryFiles: manifest.entryFiles,
    exposes: Object.entries(manifest.exposes).map(([name, assets]) => ({ name, ...assets })),
    shared: Object.entries(manifest.shared).map(([library, range]) => ({ library, range })),
    routes: Object.entries(manifest.routes).map(([path, screen]) => routeTo(path, screen)),
    template: contents.get('index.html')?.toString('utf8') ?? '',
    files,
  };
  assertFilesExist(folder, content);
  return {
    name: manifest.name,
    version: manifest.version,
    commit: manifest.commit,
    ...content,
    digest: canonicalHash(content),
    contents,
  };
}

async function readManifest(folder: string) {
  const path = join(folder, 'release.json');
  const json: unknown = JSON.parse(await readFile(path, 'utf8'));
  const parsed = MANIFEST.safeParse(json);
  if (!parsed.success)
    throw new Error(`${path} does not describe a release: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** `mfe-chat/./chat` is the module './chat' of mfe-chat. */
function routeTo(path: string, screen: string): Route {
  const slash = screen.indexOf('/');
  return { path, remote: screen.slice(0, slash), module: screen.slice(slash + 1) };
}

function describeFile(path: string, bytes: Buffer, mark: string): ReleaseFile {
  return { path, size: bytes.length, integrity: integrityOf(bytes), type: mediaType(path), mark };
}

function assertFilesExist(
  folder: string,
  content: Pick<Build, 'entry' | 'entryFiles' | 'exposes' | 'files'>,
): void {
  const known = new Set(content.files.map(({ path }) => path));
  const named = [
    content.entry,
    ...[content.entryFiles, ...content.exposes].flatMap(({ js, css }) => [...js, ...css]),
  ];
  const missing = named.find((path) => !known.has(path));
  if (missing !== undefined)
    throw new Error(`${folder}/release.json names ${missing}, which is not among its files`);
}
