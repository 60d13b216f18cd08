import { SourceMap } from 'node:module';
import type { FileStore } from '../files/storage/file-store.ts';
import type { CompositionStore } from './composition-store.ts';
import { readWhole } from './ensure-encoded.ts';
import type { Release } from './release.ts';
import { isMapOf } from './source-maps.ts';

/** A script of a release with line and column, as a URL or, as in reports of pages, alone. */
const POSITION =
  /(?:(?:https?:\/\/[^\s/()]+)?\/chatbot\/releases\/([\w-]+)\/[^\s/()]+\/)?([\w@.-]+\.m?js):(\d+):(\d+)/g;

export interface StackDeps {
  store: Pick<CompositionStore, 'releases'>;
  files: FileStore;
}

/**
 * Replaces each position in a release's script by the position in its source, `mfe-chat/src/chat.tsx:12:34`.
 * Positions without a stored source map stay unchanged.
 */
export async function resolveStack(text: string, deps: StackDeps): Promise<string> {
  const maps = new Map<string, Promise<SourceMap | undefined>>();
  const mapOf = (name: string | undefined, script: string) => {
    const key = `${name ?? ''} ${script}`;
    const map = maps.get(key) ?? readMap(name, script, deps);
    maps.set(key, map);
    return map;
  };
  const found = [...text.matchAll(POSITION)];
  const places = await Promise.all(
    found.map(async ([, name, script = '', line, column]) => {
      const map = await mapOf(name, script);
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

async function readMap(
  name: string | undefined,
  script: string,
  { store, files }: StackDeps,
): Promise<SourceMap | undefined> {
  const listing = { ...(name ? { name } : {}), 'files.path': script, publishedAt: { $ne: null } };
  const release = await store.releases.findOne(listing).sort({ publishedAt: -1 }).lean<Release>();
  const file = release?.files.find(({ path }) => isMapOf(path, script));
  const bytes = release && file && (await readWhole(release, file, files));
  return bytes ? new SourceMap(JSON.parse(bytes.toString('utf8'))) : undefined;
}
