import { slicesById } from '../store/in-slices.ts';
import type { BlobDocument, BlobModel } from './blob.ts';
import { type Blobs, blobFolder, storedAt } from './blobs.ts';
import type { FileStore } from './storage/file-store.ts';

const slice = 200;

/**
 * Repairs what crashes left: content without an entry or incomplete, and holders that do not exist. Content
 * newer than `before` may belong to a running request.
 */
export async function sweepBlobs(
  deps: {
    blobs: BlobModel;
    files: FileStore;
    kept: Pick<Blobs, 'release'>;
    /** The existing ones of these holders. */
    existingOf(holders: string[]): Promise<Set<string>>;
  },
  before: Date,
): Promise<void> {
  const { blobs, files, kept, existingOf } = deps;
  for await (const some of slicesById<BlobDocument>(blobs, slice)) {
    const old = some.filter(({ heldAt }) => heldAt <= before);
    const there = await existingOf(old.flatMap(({ holders }) => holders));
    for (const { _id, holders } of old) {
      const gone = holders.filter((holder) => !there.has(holder));
      for (const holder of gone) await kept.release(_id, holder);
      // Its last holder was released directly before its process died.
      if (holders.length === 0) await kept.release(_id, '');
    }
  }
  await removeUnnamed(blobs, files, before);
  await files.sweep(before);
}

async function removeUnnamed(blobs: BlobModel, files: FileStore, before: Date): Promise<void> {
  let some: string[] = [];
  const removeSome = async () => {
    const named = await blobs.find({ _id: { $in: some.map(hashOf) } }, { key: 1 }).lean();
    const keys = new Set(named.map(({ key }) => key));
    for (const key of some) if (!keys.has(key)) await files.remove(key);
    some = [];
  };
  for await (const key of files.list(blobFolder)) {
    if (storedAt(key) > before.getTime()) continue;
    some.push(key);
    if (some.length >= slice) await removeSome();
  }
  if (some.length > 0) await removeSome();
}

function hashOf(key: string): string {
  return key.split('/').at(-1)?.split('.', 1)[0] ?? '';
}
