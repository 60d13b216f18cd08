import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { Types } from 'mongoose';
import { createErasures } from './erasures.ts';
import { openStore, type Store } from './open-store.ts';

// A desk starts in about a second, on a machine that is busy with other things in many.
jest.setTimeout(30_000);

let dataDir: string;
let store: Store;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'desk-erasures-'));
  store = await openStore({ mongodbUri: null, dataDir });
});
afterAll(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

const owner = 'user:1';

async function conversationWith(records: number): Promise<Types.ObjectId> {
  const conversationId = new Types.ObjectId();
  const now = new Date();
  await store.models.conversations.create({
    _id: conversationId,
    owner,
    title: 't',
    recordCount: records,
    createdAt: now,
    updatedAt: now,
  });
  await store.models.records.insertMany(
    Array.from({ length: records }, (_, index) => ({
      owner,
      conversationId,
      kind: 'chat',
      status: 'done',
      question: `q${index}`,
      createdAt: now,
    })),
  );
  return conversationId;
}

function visible(conversationId: Types.ObjectId): Promise<number> {
  return store.models.records.countDocuments({ owner, conversationId, erasedBy: null });
}

test('a deletion that a crash cut short is finished at the next start', async () => {
  const conversationId = await conversationWith(3);
  const erasures = createErasures(store.models, { undoDays: 7 });
  const { undoToken } = await erasures.eraseConversation(owner, conversationId.toHexString());
  // What a crash right after the decision leaves: the decision, and some marks that are missing.
  await store.models.erasures.updateOne({ undoToken }, { $set: { state: 'erasing' } });
  await store.models.records.updateOne({ owner, conversationId }, { $set: { erasedBy: null } });

  await erasures.resume();

  expect(await visible(conversationId)).toBe(0);
  expect(await erasures.undo(owner, undoToken)).toBe(3);
  expect(await visible(conversationId)).toBe(3);
});

test('what can no longer be undone is erased for good, and its token is expired', async () => {
  const conversationId = await conversationWith(1200);
  const other = await conversationWith(1);
  const erasures = createErasures(store.models, { undoDays: 7 });
  const { undoToken } = await erasures.eraseConversation(owner, conversationId.toHexString());
  await erasures.sweep();
  expect(await store.models.records.countDocuments({ conversationId })).toBe(1200);

  await store.models.erasures.updateOne({ undoToken }, { $set: { undoUntil: new Date(Date.now() - 1) } });
  await expect(erasures.undo(owner, undoToken)).rejects.toMatchObject({ status: 410, error: 'expired' });
  await erasures.sweep();

  expect(await store.models.records.countDocuments({ conversationId })).toBe(0);
  expect(await store.models.conversations.countDocuments({ _id: conversationId })).toBe(0);
  expect(await visible(other)).toBe(1);
  await expect(erasures.undo(owner, undoToken)).rejects.toMatchObject({ status: 410 });
});
