import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ReleaseUpload } from '../contract/contract.ts';
import { keySegments } from '../files/storage/file-store.ts';
import { integrityOf } from './canonical-hash.ts';
import {
  type DescribedRelease,
  describeRelease,
  MOST_FILES,
  ReleaseDescription,
} from './release-description.ts';

/** What a workspace's `dist/` holds, read and checked: a release that has no place yet. */
export interface Build extends DescribedRelease {
  /** By path. */
  contents: Map<string, Buffer>;
}

/** The same, as it is sent to a desk. */
export interface BuildToSend {
  upload: ReleaseUpload;
  /** By path. */
  contents: Map<string, Buffer>;
}

/** release.json as the bundler's plugin writes it; what it says of the release is checked together with the files. */
const Manifest = z.looseObject({ files: z.array(z.string()).min(1).max(MOST_FILES) });

/** What a manifest may leave out; what it says beyond a release's description is not ours. */
const DEFAULTS = {
  container: '',
  entryFiles: { js: [], css: [] },
  exposes: {},
  shared: {},
  routes: {},
  styleMarks: {},
  commit: null,
};

/**
 * Reads `folder/release.json` and every file that it lists. Rejects with a sentence that names the folder when the build is
 * missing, names a file that is not there, or points outside its folder.
 */
export async function readBuild(folder: string): Promise<Build> {
  const { upload, contents } = await readBuildToSend(folder);
  return { ...describeRelease(upload), contents };
}

/** As `readBuild`. */
export async function readBuildToSend(folder: string): Promise<BuildToSend> {
  const path = join(folder, 'release.json');
  const manifest = parse(Manifest, JSON.parse(await readFile(path, 'utf8')), path);
  for (const file of manifest.files) keySegments(file);
  const contents = new Map(
    await Promise.all(
      manifest.files.map(async (file) => [file, await readFile(join(folder, file))] as const),
    ),
  );
  const described = {
    ...DEFAULTS,
    ...Object.fromEntries(Object.entries(manifest).filter(([field]) => field in ReleaseDescription.shape)),
    template: templateOf(manifest, contents),
    files: [...contents].map(([file, bytes]) => ({
      path: file,
      size: bytes.length,
      integrity: integrityOf(bytes),
    })),
  };
  return { upload: parse(ReleaseDescription, described, path), contents };
}

/** The host's: in the manifest, or as a file of builds of before. A remote's own page is for itself alone. */
function templateOf({ name, template }: Record<string, unknown>, contents: Map<string, Buffer>): unknown {
  if (name !== 'host') return '';
  return template ?? contents.get('index.html')?.toString('utf8') ?? '';
}

function parse<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new Error(`${path} does not describe a release: ${z.prettifyError(parsed.error)}`);
}
