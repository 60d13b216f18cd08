import { expect, test } from '@jest/globals';
import mongoose, { type Model } from 'mongoose';
import { createKnowledgeModels } from './answers/knowledge-models.ts';
import { createTestModels } from './testing/open-test-models.ts';

const connection = mongoose.createConnection();
const models = { ...createTestModels(connection), ...createKnowledgeModels(connection) } as unknown as Record<
  string,
  Model<unknown>
>;
const owned = Object.entries(models).filter(([, { schema }]) => schema.path('owner'));

test.each(owned)('%s: adoption, expiry and deletion of all data of an owner use an index', (_name, model) => {
  const firstKeys = model.schema.indexes().map(([fields]) => Object.keys(fields)[0]);
  expect(firstKeys).toContain('owner');
});

test.each([
  ['guests', 'adoptedBy'],
  ['guests', 'expiresAt'],
  ['users', 'deletedAt'],
])('the background job that reads %s by %s uses an index', (name, field) => {
  const firstKeys = models[name]!.schema.indexes().map(([fields]) => Object.keys(fields)[0]);
  expect(firstKeys).toContain(field);
});
