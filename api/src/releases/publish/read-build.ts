import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ReleaseUpload } from '../../contract/releases.ts';
import { keySegments } from '../../files/storage/file-store.ts';
import { integrityOf } from '../data/canonical-hash.ts';
import {
  type DescribedRelease,
  describeRelease,
  MAX_FILES,
  ReleaseDescription,
} from '../data/release-description.ts';

/** The content of a workspace's `dist/`, read and validated: a release without an address. */
export interface Build extends DescribedRelease {
  /** Keyed by path. */
  contents: Map<string, Buffer>;
}

/** A build in the format of an upload. */
export interface BuildToSend {
  upload: ReleaseUpload;
  /** Keyed by path. */
  contents: Map<string, Buffer>;
}

/** release.json of the bundler plugin; its description is validated together with the files. */
const Manifest = z.looseObject({ files: z.array(z.string()).min(1).max(MAX_FILES) });

/** Optional manifest fields; unknown fields are ignored. */
const DEFAULTS = {
  container: '',
  entryFiles: { js: [], css: [] },
  exposes: {},
  shared: {},
  routes: [],
  template: '',
  styleMarks: {},
  commit: null,
};

/** `folder/release.json` with its files. Rejects, naming the folder, if one is missing or outside. */
export async function readBuild(folder: string): Promise<Build> {
  const { upload, contents } = await readBuildToSend(folder);
  return { ...describeRelease(upload), contents };
}

/** Like `readBuild`, in the format of an upload. */
export async function readBuildToSend(folder: string): Promise<BuildToSend> {
  const path = join(folder, 'release.json');
  const manifest = parseDescription(Manifest, JSON.parse(await readFile(path, 'utf8')), path);
  for (const file of manifest.files) keySegments(file);
  const contents = await readContents(folder, manifest.files);
  const described = {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(manifest).filter(([field]) => field in ReleaseDescription.shape)),
    files: describeContents(contents),
  };
  const sources = { routes: 'desk.json', links: 'desk.json' };
  return { upload: parseDescription(ReleaseDescription, described, path, sources), contents };
}

/** The contents of these files, by path. */
export async function readContents(folder: string, paths: readonly string[]): Promise<Map<string, Buffer>> {
  const read = paths.map(async (path) => [path, await readFile(join(folder, path))] as const);
  return new Map(await Promise.all(read));
}

export function describeContents(contents: ReadonlyMap<string, Buffer>): ReleaseUpload['files'] {
  return [...contents].map(([path, bytes]) => ({ path, size: bytes.length, integrity: integrityOf(bytes) }));
}

/** `sources` names the files that fields come from, if not from `path`. @throws Error with the faulty file and its fault. */
export function parseDescription<T>(
  schema: z.ZodType<T>,
  value: unknown,
  path: string,
  sources: Readonly<Record<string, string>> = {},
): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const byFile = Map.groupBy(parsed.error.issues, ({ path: [field] }) => sources[String(field)] ?? path);
  const faults = [...byFile].map(
    ([file, issues]) => `${file} does not describe a release: ${z.prettifyError(new z.ZodError(issues))}`,
  );
  throw new Error(faults.join('\n'));
}
