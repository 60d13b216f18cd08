import type { Connection, mongo } from 'mongoose';

/** What MongoDB examined for the commands of some work. */
export interface MongodbReads {
  keys: number;
  documents: number;
  stages: Set<string>;
}

/**
 * Records the queries that `work` sends over `connection`, which must monitor its commands, and reads from `explain` what each one
 * examines.
 */
export async function readsOnMongodb(
  connection: Connection,
  work: () => Promise<unknown>,
): Promise<MongodbReads> {
  const client = connection.getClient();
  const sent: mongo.BSON.Document[] = [];
  const note = ({ commandName, command }: mongo.CommandStartedEvent) => {
    if (commandName === 'find' || commandName === 'aggregate') sent.push(command);
  };
  client.on('commandStarted', note);
  await work();
  client.off('commandStarted', note);
  const reads: MongodbReads = { keys: 0, documents: 0, stages: new Set() };
  for (const { lsid: _, $db: __, $clusterTime: ___, maxTimeMS: ____, ...command } of sent) {
    const plan = await connection.db!.command({ explain: command, verbosity: 'executionStats' });
    addStats(plan, reads);
  }
  return reads;
}

function addStats(part: unknown, reads: MongodbReads): void {
  if (typeof part !== 'object' || part === null) return;
  const { executionStats, stages, $cursor } = part as mongo.BSON.Document;
  if (executionStats) {
    reads.keys += Number(executionStats.totalKeysExamined);
    reads.documents += Number(executionStats.totalDocsExamined);
    addStages(executionStats.executionStages, reads.stages);
  } else {
    for (const stage of stages ?? []) addStats(stage, reads);
    addStats($cursor, reads);
  }
}

function addStages(stage: mongo.BSON.Document, names: Set<string>): void {
  names.add(stage.stage);
  for (const input of [stage.inputStage, ...(stage.inputStages ?? [])]) if (input) addStages(input, names);
}
