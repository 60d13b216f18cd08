import { afterAll, expect, test } from '@jest/globals';
import { Types } from 'mongoose';
import { finishedRecord, openTestModels } from '../../testing/open-test-models.ts';
import { createHiddenRecords } from '../hidden-records.ts';
import { createDeletionDecision } from './deletion-decision.ts';

const opened = await openTestModels();
afterAll(() => opened?.end());

test('records of a running deletion are matched by no other deletion, even before they are marked', async () => {
  const { models } = opened;
  const audits = new Proxy({}, { get: () => () => '' }) as never;
  const decision = createDeletionDecision(models, createHiddenRecords(models.deletions), audits, 7);
  const owner = 'user:hides';
  const contact = { id: 'zhang san', name: '张三' };
  const theirs = [1, 2, 3].map(() => finishedRecord({ owner, contact }));
  const own = finishedRecord({ owner });
  await models.records.create([...theirs, own]);
  const about = { kind: 'contact', contactId: contact.id, contactName: contact.name } as const;
  const all = { kind: 'selection', ids: [...theirs, own].map(({ _id }) => _id) } as const;
  expect(await decision.match(owner, { ...all, ids: [...all.ids] })).toMatchObject({ count: 4 });

  await decision.decide(owner, about, await decision.match(owner, about));

  expect(await models.records.countDocuments({ owner, erasedBy: null })).toBe(4);
  expect(await decision.match(owner, about)).toMatchObject({ count: 0 });
  expect(await decision.match(owner, { ...all, ids: [...all.ids] })).toMatchObject({ count: 1 });
  expect(await decision.preview(owner, about)).toMatchObject({ matched: 0 });
  expect(await decision.match('user:other', about)).toMatchObject({ count: 0 });
});

test('a preview counts records, conversations and files, with the first and the last date', async () => {
  const { models } = opened;
  const audits = new Proxy({}, { get: () => () => '' }) as never;
  const decision = createDeletionDecision(models, createHiddenRecords(models.deletions), audits, 7);
  const owner = 'user:previews';
  const at = (day: number) => new Date(Date.UTC(2026, 0, day));
  const conversationId = new Types.ObjectId();
  const file = { id: 'f', name: 'f', kind: 'text', chars: 1, pages: 1, url: '' } as const;
  const records = [
    finishedRecord({ owner, conversationId, createdAt: at(3) }),
    finishedRecord({ owner, conversationId, createdAt: at(5), files: [file, file] }),
    finishedRecord({ owner, createdAt: at(2), files: [file] }),
  ];
  await models.records.create(records);

  const preview = await decision.preview(owner, { kind: 'selection', ids: records.map(({ _id }) => _id) });

  expect(preview).toEqual({
    matched: 3,
    conversations: 2,
    files: 3,
    firstAt: at(2).toISOString(),
    lastAt: at(5).toISOString(),
  });
});
