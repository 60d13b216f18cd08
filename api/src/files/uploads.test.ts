import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createKnowledgeIndex } from '../answers/index/create-knowledge-index.ts';
import { createKnowledgeModels } from '../answers/knowledge-models.ts';
import { createHiddenRecords } from '../records/hidden-records.ts';
import { finishedRecord, openTestStore } from '../testing/open-test-models.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { removeTestData, testStoreConfig } from '../testing/test-database.ts';
import { blobFolder } from './blobs.ts';
import { createDiskFileStore } from './storage/disk-file-store.ts';
import { createUploads } from './uploads.ts';

const owner = 'user:1';

const folder = await temporaryFolder('uploads');
const store = await openTestStore(testStoreConfig(join(folder, 'store')));
const knowledge = createKnowledgeModels(store.connection);
for (const model of Object.values(knowledge)) await model.createIndexes();
const files = createDiskFileStore(join(folder, 'files'));
const uploads = createUploads({
  models: store.models,
  documents: knowledge.documents,
  index: createKnowledgeIndex(knowledge),
  files,
  hidden: createHiddenRecords(store.models.deletions),
});
afterAll(async () => {
  await store.close();
  await removeTestData(join(folder, 'store'));
  await rm(folder, { recursive: true, force: true });
});

/** Stores a file for a record that does not exist yet. */
async function keep(recordId: Types.ObjectId): Promise<{ id: string; documentId: string; hash: string }> {
  const text = `The desk opens at nine. ${randomUUID()}`;
  const hash = createHash('sha256').update(text).digest('hex');
  const path = join(folder, randomUUID());
  await writeFile(path, text);
  const { id } = await uploads.storeFile(
    owner,
    recordId,
    {
      path,
      name: 'hours.txt',
      size: text.length,
      hash,
      extracted: {
        kind: 'text',
        type: 'text/plain',
        text,
        title: '',
        language: 'en',
        pages: 1,
        places: [],
        notices: [],
        size: null,
      },
    },
    { signal: new AbortController().signal, onProgress: () => undefined },
  );
  const upload = await store.models.uploads.findById(id).lean();
  return { id, documentId: upload!.documentId!, hash };
}

/** The stored parts of a file: upload, document, passages, indexed passages, content. */
async function partsOf({ id, documentId, hash }: Awaited<ReturnType<typeof keep>>) {
  return {
    upload: await store.models.uploads.countDocuments({ _id: id }),
    document: await knowledge.documents.countDocuments({ _id: documentId }),
    passages: await knowledge.passages.countDocuments({ documentId }),
    findable: await knowledge.findable.countDocuments({ documentId }),
    bytes: (await uploads.blobs.open(hash)) ? 1 : 0,
  };
}
const all = { upload: 1, document: 1, passages: 1, findable: 1, bytes: 1 };
const none = { upload: 0, document: 0, passages: 0, findable: 0, bytes: 0 };

const inPast = () => new Date(Date.now() - 60_000);
const soon = () => new Date(Date.now() + 60_000);

test('leftovers of an interrupted request are deleted once they are old enough; files with a record stay', async () => {
  const put = finishedRecord({ owner });
  await store.models.records.create(put);
  const [left, kept] = [await keep(new Types.ObjectId()), await keep(put._id)];
  expect([await partsOf(left), await partsOf(kept)]).toEqual([all, all]);

  await uploads.sweep(inPast());
  expect([await partsOf(left), await partsOf(kept)]).toEqual([all, all]);
  await uploads.sweep(soon());
  expect([await partsOf(left), await partsOf(kept)]).toEqual([none, all]);
});

test('content without an entry and unfinished writes are deleted once they are old enough', async () => {
  const left = `${blobFolder}/ab/${'ab'.repeat(32)}.${Date.now()}-00`;
  await files.put(left, Buffer.from('left'));
  const unfinished = join(folder, 'files', blobFolder, 'ab', 'half.0123456789ab~');
  await writeFile(unfinished, 'half');
  const there = async () => (await readdir(join(folder, 'files', blobFolder, 'ab'))).length;

  await uploads.sweep(inPast());
  expect(await there()).toBe(2);
  await uploads.sweep(soon());
  expect(await there()).toBe(0);
});

test('a private document is hidden while its record is erased, and unchanged until there is a record', async () => {
  const record = finishedRecord({ owner });
  const { documentId } = await keep(record._id);
  const isHidden = async () => {
    await uploads.hideFiles(owner);
    return (await knowledge.documents.findById(documentId).lean())?.hidden;
  };
  expect(await isHidden()).toBe(false);
  await store.models.records.create(record);
  expect(await isHidden()).toBe(false);
  await store.models.records.updateOne({ _id: record._id }, { $set: { erasedBy: new Types.ObjectId() } });
  expect(await isHidden()).toBe(true);
  await store.models.records.updateOne({ _id: record._id }, { $set: { erasedBy: null } });
  expect(await isHidden()).toBe(false);
});

test('a document is hidden once the last version of its question is erased, and shown once one is restored', async () => {
  const first = finishedRecord({ owner });
  const versionOf = { recordId: first._id, createdAt: first.createdAt, number: 2 };
  const second = finishedRecord({ owner, versionOf });
  await store.models.records.create([first, second, finishedRecord({ owner: 'user:2', versionOf })]);
  const { documentId } = await keep(first._id);
  const isHiddenAfter = async (record: { _id: Types.ObjectId }, erasedBy: Types.ObjectId | null) => {
    await store.models.records.updateOne({ _id: record._id }, { $set: { erasedBy } });
    await uploads.hideFiles(owner, [record._id]);
    return (await knowledge.documents.findById(documentId).lean())?.hidden;
  };
  const erased = new Types.ObjectId();
  expect(await isHiddenAfter(first, erased)).toBe(false);
  expect(await isHiddenAfter(second, erased)).toBe(true);
  expect(await isHiddenAfter(second, null)).toBe(false);
  expect(await isHiddenAfter(second, erased)).toBe(true);
  expect(await isHiddenAfter(first, null)).toBe(false);
});

test('all files of an owner are deleted, and nobody else’s', async () => {
  const [mine, also] = [await keep(new Types.ObjectId()), await keep(new Types.ObjectId())];
  await store.models.uploads.updateOne({ _id: also.id }, { $set: { owner: 'user:2' } });
  await uploads.owned.deleteMany({ owner });
  expect([await partsOf(mine), await partsOf(also)]).toEqual([none, all]);
});

test('files of two versions of a question that are deleted together are deleted with the first of them', async () => {
  const erasedBy = new Types.ObjectId();
  const first = finishedRecord({ owner, erasedBy });
  const versionOf = { recordId: first._id, createdAt: first.createdAt, number: 2 };
  const second = finishedRecord({ owner, erasedBy, versionOf });
  await store.models.records.create([first, second]);
  const kept = await keep(first._id);

  await uploads.deleteFiles.ofRecords([first._id]);

  expect(await partsOf(kept)).toEqual(none);
});

test('files of a question stay while a version of it remains', async () => {
  const first = finishedRecord({ owner, erasedBy: new Types.ObjectId() });
  const versionOf = { recordId: first._id, createdAt: first.createdAt, number: 2 };
  const second = finishedRecord({ owner, versionOf });
  const stranger = finishedRecord({ owner: 'user:2', versionOf });
  await store.models.records.create([first, second, stranger]);
  const kept = await keep(first._id);

  await uploads.deleteFiles.ofRecords([first._id]);
  expect(await partsOf(kept)).toEqual(all);
  await store.models.records.updateOne({ _id: second._id }, { $set: { erasedBy: new Types.ObjectId() } });
  await uploads.deleteFiles.ofRecords([first._id]);
  expect(await partsOf(kept)).toEqual(all);
  await store.models.records.deleteOne({ _id: first._id });
  await uploads.sweep(soon());
  expect(await partsOf(kept)).toEqual(all);
  await uploads.deleteFiles.ofRecords([second._id]);
  // Nobody else's record keeps it.
  expect(await partsOf(kept)).toEqual(none);
});

test('the documents of files are found for their owner only, each once', async () => {
  const put = finishedRecord({ owner });
  await store.models.records.create(put);
  const { id, documentId } = await keep(put._id);
  expect(await uploads.readFiles.documentsOf(owner, [id, id, 'unknown'])).toEqual([documentId]);
  expect(await uploads.readFiles.documentsOf('user:2', [id])).toEqual([]);
  expect(await uploads.readFiles.maySeeDocument('user:2', documentId)).toBe(false);
});

test('the files of an owner are deleted however many they are', async () => {
  const many = Array.from({ length: 205 }, (_, n) => ({
    _id: `many-${n}`,
    owner: 'user:many',
    recordId: new Types.ObjectId(),
    blob: 'b'.repeat(64),
    name: 'a.png',
    kind: 'image' as const,
    type: 'image/png',
    size: 1,
    chars: 0,
    pages: 1,
    documentId: null,
    createdAt: new Date(),
  }));
  await store.models.uploads.insertMany(many);
  await uploads.deleteFiles.ofOwner('user:many');
  expect(await store.models.uploads.countDocuments({ owner: 'user:many' })).toBe(0);
});
