import { SourceMap } from 'node:module';
import type { FileStore } from '../../files/storage/file-store.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import type { Release } from '../data/release.ts';
import { SHARED_FOLDER } from '../data/release-keys.ts';
import { readWhole } from './encode.ts';
import { isMapOf } from './source-maps.ts';

/** A script of a release with line and column, as a URL or, as in reports of pages, alone. */
const POSITION =
  /(?:(?:https?:\/\/[^\s/()]+)?(\/chatbot\/releases\/[\w-]+\/[^\s/()]+\/)((?:[\w@.-]+\/)*)|(?<![\w@./-]))([\w@.-]+\.[cm]?js):(\d+):(\d+)/g;
/** Maximum number of releases, newest first, that are searched for a script without its folder. */
const MAX_SEARCHED = 500;

export interface StackDeps {
  store: CompositionStore;
  files: FileStore;
}

/** Positions in scripts as positions in sources: `mfe-chat/src/chat.tsx:12:34`, or unchanged. */
export async function resolveStack(text: string, deps: StackDeps): Promise<string> {
  const maps = new Map<string, Promise<SourceMap | undefined>>();
  const mapOf = (base: string | undefined, script: string) => {
    const key = `${base ?? ''} ${script}`;
    const map = maps.get(key) ?? readMap(base, script, deps);
    maps.set(key, map);
    return map;
  };
  const found = [...text.matchAll(POSITION)];
  const places = await Promise.all(
    found.map(async ([, base, folder = '', script = '', line, column]) => {
      const map = await mapOf(base, folder + script);
      // Stack traces count from 1, source maps from 0.
      const entry = map?.findEntry(Number(line) - 1, Number(column) - 1);
      if (!entry || !('originalSource' in entry) || !entry.originalSource) return undefined;
      const source = entry.originalSource.replace(/^webpack:\/\//, '').replace('/./', '/');
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    }),
  );
  let next = 0;
  return text.replace(POSITION, (whole) => places[next++] ?? whole);
}

async function readMap(base: string | undefined, script: string, { store, files }: StackDeps) {
  const found = await findScript(base, script, store);
  const file = found?.release.files.find(({ path }) => isMapOf(path, found.path));
  const bytes = found && file && (await readWhole(found.release, file, files));
  try {
    return bytes ? new SourceMap(JSON.parse(bytes.toString('utf8'))) : undefined;
  } catch {
    return undefined; // The file may not be a valid source map.
  }
}

/**
 * Finds the release with that script: at `base`, where only files that are named by their content belong to several releases, or by
 * its version, which older pages and people use. Pages report scripts without base and folder.
 */
async function findScript(base: string | undefined, script: string, { releases }: StackDeps['store']) {
  const published = { publishedAt: { $ne: null } };
  const [, , , name = '', version] = base?.split('/') ?? [];
  const places: Partial<Pick<Release, '_id' | 'base' | 'name'>>[] = base
    ? [{ base }, version === SHARED_FOLDER ? { name } : { _id: `${name}@${version}` }]
    : [{}];
  for (const place of places) {
    const listing = { ...place, 'files.path': script, ...published };
    const release = await releases.findOne(listing).sort({ publishedAt: -1 }).lean();
    if (release) return { release, path: script };
  }
  if (base) return undefined;
  const newest = await releases
    .find(published, { 'files.path': 1 })
    .sort({ publishedAt: -1 })
    .limit(MAX_SEARCHED)
    .lean<Pick<Release, '_id' | 'files'>[]>();
  for (const { _id, files } of newest) {
    const path = files.find((file) => file.path.endsWith(`/${script}`))?.path;
    const release = path && (await releases.findById(_id).lean());
    if (path && release) return { release, path };
  }
  return undefined;
}
