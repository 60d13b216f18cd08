import { expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { finishedRecord } from '../../testing/open-test-models.ts';
import { previewFound } from './preview-found.ts';

const at = (day: number) => new Date(Date.UTC(2026, 0, day));
const conversationId = new Types.ObjectId();

async function* slices() {
  yield [
    finishedRecord({ conversationId, createdAt: at(3) }),
    finishedRecord({ conversationId, createdAt: at(5), files: [{} as never, {} as never] }),
  ];
  yield [finishedRecord({ createdAt: at(2), files: [{} as never] })];
}

test('counts records, conversations and files, and reports the count after each slice', async () => {
  const told: number[] = [];
  const preview = await previewFound(slices(), (matched) => told.push(matched));
  expect(preview).toEqual({
    matched: 3,
    conversations: 2,
    files: 3,
    firstAt: at(2).toISOString(),
    lastAt: at(5).toISOString(),
  });
  expect(told).toEqual([2, 3]);
});

test('the check function can end it', async () => {
  const tooMany = new Error('too many');
  const check = (matched: number) => {
    if (matched > 1) throw tooMany;
  };
  await expect(previewFound(slices(), check)).rejects.toBe(tooMany);
});
