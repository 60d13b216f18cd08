import type { Connection, Model } from 'mongoose';
import { createKnowledgeModels } from '../../answers/knowledge-models.ts';
import type { Config } from '../../config/config.ts';
import { createModels } from '../../open-domains.ts';
import { createPendingChangeModel } from '../../releases/changes/changes.ts';
import { createCompositionStore } from '../../releases/data/composition-store.ts';
import { createCanaryTallyModel, createHealthCountModel } from '../../releases/data/page-counts.ts';
import { createTokenModel } from '../../releases/tokens/tokens.ts';
import type { Place, SayDb } from './places.ts';
import { findLostFiles, findMissingFiles } from './references.ts';

const megabyte = 1024 * 1024;

/** The result of `check`: faults that require action, and notes. */
export type Finding = { kind: 'fault' | 'note'; text: string };

/** Missing indexes and files are faults; orphans, removed hourly, and exceeded quotas are notes. */
export async function* checkDesk(
  { connection, documents, files }: Place,
  config: Pick<Config, 'environment' | 'limitOwnerMb'>,
  say: SayDb,
): AsyncGenerator<Finding> {
  for await (const text of findMissingIndexes(connection, config, say)) yield { kind: 'fault', text };
  for await (const { text } of findMissingFiles(documents, files, say)) yield { kind: 'fault', text };
  for await (const text of findLostFiles(documents, files, say)) yield { kind: 'note', text };
  for await (const text of findOrphans(connection, say)) yield { kind: 'note', text };
  for await (const text of findOverQuota(connection, config, say)) yield { kind: 'note', text };
}

async function* findMissingIndexes(
  connection: Connection,
  { environment }: Pick<Config, 'environment'>,
  say: SayDb,
): AsyncGenerator<string> {
  createModels(connection);
  createKnowledgeModels(connection);
  createCompositionStore(connection, environment);
  createHealthCountModel(connection, environment);
  createCanaryTallyModel(connection, environment);
  createPendingChangeModel(connection);
  createTokenModel(connection);
  for (const model of Object.values(connection.models) as Model<unknown>[]) {
    const { toCreate } = await model.diffIndexes();
    for (const index of toCreate)
      yield say('missingIndex', { collection: model.collection.name, index: JSON.stringify(index) });
  }
}

/** Documents per look-up. */
const slice = 500;

/** Pairs of a collection and the one that its documents belong to, by the name of the field. */
const belonging = [
  { of: 'passages', field: 'documentId', to: 'documents' },
  { of: 'findable_passages', field: 'documentId', to: 'documents' },
  { of: 'records', field: 'conversationId', to: 'conversations' },
] as const;

async function* findOrphans(connection: Connection, say: SayDb): AsyncGenerator<string> {
  for (const { of, field, to } of belonging) {
    const groups = connection
      .collection(of)
      .aggregate([{ $group: { _id: `$${field}`, count: { $sum: 1 } } }]);
    let some: { _id: unknown; count: number }[] = [];
    const lacking = async () => {
      const ids = some.map(({ _id }) => _id) as never[];
      const found = await connection
        .collection(to)
        .find({ _id: { $in: ids } }, { projection: { _id: 1 } })
        .toArray();
      const there = new Set(found.map(({ _id }) => String(_id)));
      const without = some.filter(({ _id }) => !there.has(String(_id)));
      some = [];
      return without.map(({ _id, count }) => say('orphans', { count, of, to, id: String(_id) }));
    };
    for await (const group of groups) {
      some.push(group as (typeof some)[number]);
      if (some.length === slice) yield* await lacking();
    }
    yield* await lacking();
  }
}

async function* findOverQuota(
  connection: Connection,
  { limitOwnerMb }: Pick<Config, 'limitOwnerMb'>,
  say: SayDb,
): AsyncGenerator<string> {
  if (limitOwnerMb === 0) return;
  const owners = connection
    .collection('uploads')
    .aggregate([{ $group: { _id: '$owner', bytes: { $sum: '$size' } } }]);
  for await (const { _id, bytes } of owners)
    if (bytes > limitOwnerMb * megabyte)
      yield say('overQuota', { owner: String(_id), mb: Math.ceil(bytes / megabyte), limit: limitOwnerMb });
}
