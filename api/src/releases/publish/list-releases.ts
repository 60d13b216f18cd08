import type { ReleaseDetails, ReleaseSummary, StandardBuild } from '../../contract/releases.ts';
import { notFound } from '../../errors/errors.ts';
import { after, cutPage, readTextCursor, writeCursor } from '../../store/cursor.ts';
import { runningCanaries } from '../data/canary-mixes.ts';
import type { Composition } from '../data/composition.ts';
import type { CompositionStore } from '../data/composition-store.ts';
import { readPointer } from '../data/move-pointer.ts';
import type { Release } from '../data/release.ts';

export interface ReleasePage {
  releases: ReleaseSummary[];
  nextCursor: string | null;
}

/** Published releases of one remote or of all, newest first. @throws invalidRequest('cursor') */
export async function listReleases(
  store: CompositionStore,
  query: { name?: string | undefined; cursor?: string | undefined; limit: number },
): Promise<ReleasePage> {
  const { name, cursor, limit } = query;
  const list = `releases ${name ?? ''}`;
  const found = await store.releases
    .find({
      ...(name === undefined ? {} : { name }),
      publishedAt: { $ne: null },
      ...(cursor === undefined ? {} : after('publishedAt', readTextCursor(list, cursor))),
    })
    .sort({ publishedAt: -1, _id: -1 })
    .limit(limit + 1)
    .lean<Release[]>();
  const { page, nextCursor } = cutPage(found, limit, (last) =>
    writeCursor(list, { at: last.publishedAt as Date, id: last._id }),
  );
  const live = await liveReleases(store);
  return { releases: page.map((release) => summaryOf(release, live)), nextCursor };
}

/** @throws notFound('release') if it is not published or has been removed. */
export async function describeRelease(store: CompositionStore, id: string): Promise<ReleaseDetails> {
  const release = await findRelease(store, id);
  return {
    ...summaryOf(release, await liveReleases(store)),
    digest: release.digest,
    entry: release.entry,
    exposes: Object.fromEntries(release.exposes.map(({ name, ...assets }) => [name, assets])),
    shared: Object.fromEntries(release.shared.map(({ library, range }) => [library, range])),
    routes: Object.fromEntries(
      release.routes.map(({ path, remote, module }) => [path, `${remote}/${module}`]),
    ),
    ...(release.standard ? { standard: describeStandard(release.standard) } : {}),
    files: release.files.map(({ path, size, integrity, type }) => ({ path, size, integrity, type })),
  };
}

/** @throws notFound('release') if it is not published or has been removed. */
export async function findRelease(
  { releases }: Pick<CompositionStore, 'releases'>,
  id: string,
): Promise<Release> {
  const release = await releases.findOne({ _id: id, publishedAt: { $ne: null } }).lean<Release>();
  if (!release) throw notFound('release');
  return release;
}

function describeStandard({ type, chunks, own }: NonNullable<Release['standard']>): StandardBuild {
  const versions = Object.fromEntries(own.map(({ library, range }) => [library, range]));
  return { type, ...(chunks === undefined ? {} : { chunks }), own: versions };
}

function summaryOf(release: Release, live: Set<string>): ReleaseSummary {
  const { _id, name, version, base, contract, commit, files, publishedBy, publishedAt, yanked } = release;
  return {
    id: _id,
    name,
    version,
    base,
    contract,
    commit,
    size: files.reduce((sum, { size }) => sum + size, 0),
    fileCount: files.length,
    // Releases stored before this field existed were published at a start.
    publishedBy: publishedBy ?? 'start',
    publishedAt: (publishedAt as Date).toISOString(),
    isLive: live.has(_id),
    yanked: yanked ? { ...yanked, at: yanked.at.toISOString() } : null,
  };
}

/** Releases that visitors currently get: those of the live composition and of running canaries. */
async function liveReleases(store: CompositionStore): Promise<Set<string>> {
  const pointer = await readPointer(store);
  if (!pointer) return new Set();
  const canaries = runningCanaries(pointer).map(({ composition }) => composition);
  const compositions = await store.compositions
    .find({ _id: { $in: [pointer.composition, ...canaries] } })
    .lean<Composition[]>();
  return new Set(
    compositions.flatMap(({ host, remotes }) => [host, ...remotes].map(({ release }) => release)),
  );
}
