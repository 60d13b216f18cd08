import { changeRecord } from '../records/change-record.ts';
import type { Contacts } from '../records/contacts.ts';
import { conversationTitle } from '../records/conversation.ts';
import type { RecordDocument, RecordModel } from '../records/record.ts';
import type { RecordModels } from '../records/record-models.ts';
import { databaseDate, databaseNow } from '../store/database-clock.ts';
import type { Jobs } from '../store/jobs/jobs.ts';
import { isDead, type ThisProcess } from '../store/process-lease.ts';
import { unlessDuplicate } from '../store/store-failure.ts';

/**
 * Ends every answer whose process has died: `failed`, with the text so far. `isAlone` means that no other
 * process can be using this store. An answer that this process is still saving is not touched, even after an
 * outage longer than its lease.
 */
export async function recoverAnswers(
  { records, conversations }: Pick<RecordModels, 'records' | 'conversations'>,
  contacts: Pick<Contacts, 'recount'>,
  self: ThisProcess,
  isAlone: boolean,
  isRunningHere: (recordId: string) => boolean = () => false,
): Promise<number> {
  let recovered = 0;
  const left = await records.find({ status: 'answering' }).lean();
  for (const record of left) {
    const isGone = isAlone ? record.lease?.process !== self.process : isDead(record.lease, self);
    if (!isGone || isRunningHere(record._id.toHexString())) continue;
    await endAbandoned({ records, conversations }, contacts, record);
    recovered += 1;
  }
  return recovered;
}

/** Interval of looking for abandoned answers while there may be some, in ms. */
const recoverEveryMs = 5000;
/** Time for which such looks continue without an answer, in ms, and the interval at which a process with answers extends it. */
const expectedMs = 60_000;
const expectEveryMs = 30_000;

export type AnswerRecovery = ReturnType<typeof createAnswerRecovery>;

/**
 * Ends abandoned answers by a job that exists only while processes are answering, so that an idle desk reads nothing. `recover` ends
 * the answers whose processes have died.
 */
export function createAnswerRecovery({
  records,
  jobs,
  recover,
}: Pick<RecordModels, 'records'> & { jobs: Pick<Jobs, 'define' | 'add'>; recover(): Promise<unknown> }) {
  const kind = 'end abandoned answers';
  let expectedAt = Number.NEGATIVE_INFINITY;

  jobs.define<{ until: number }>({
    kind,
    maxAttempts: Number.POSITIVE_INFINITY,
    async run({ data }) {
      await recover();
      const isOver = databaseNow() > data.until && !(await records.exists({ status: 'answering' }));
      return isOver ? undefined : recoverEveryMs;
    },
  });

  return {
    /** To be called before an answer is begun: if this process dies, another one ends it. */
    async expectAnswer(): Promise<void> {
      const now = performance.now();
      if (now - expectedAt < expectEveryMs) return;
      await jobs.add(kind, { delayMs: recoverEveryMs, data: { until: databaseNow() + expectedMs } });
      expectedAt = now;
    },
  };
}

/** Ends one answer whose process has died. First stores data beside its record that the process may not have stored. */
export async function endAbandoned(
  models: Pick<RecordModels, 'records' | 'conversations'>,
  contacts: Pick<Contacts, 'recount'>,
  record: RecordDocument,
): Promise<void> {
  await repairConversation(models, record);
  if (record.contact) await contacts.recount(record.owner, [record.contact.id]);
  await failAbandoned(models.records, record);
}

/** Fails one answer whose process has died, unless another process has done so or taken it over meanwhile. */
export async function failAbandoned(records: RecordModel, record: RecordDocument): Promise<void> {
  await changeRecord(
    records,
    { _id: record._id, status: 'answering', 'lease.process': record.lease?.process ?? null },
    ({ begun, statusBefore, answeredAt }) => ({
      status: begun ? 'failed' : (statusBefore ?? 'failed'),
      ...(begun || statusBefore === null || statusBefore === 'failed' ? { isAbandoned: true } : {}),
      lease: null,
      stopRequested: false,
      statusBefore: null,
      begun: true,
      answeredAt: begun ? databaseDate() : (answeredAt ?? databaseDate()),
    }),
  );
}

/** A process that died after writing a record left its conversation missing, or its count too low. */
async function repairConversation(
  { records, conversations }: Pick<RecordModels, 'records' | 'conversations'>,
  { _id, owner, conversationId, erasedBy, question, contact, createdAt }: RecordDocument,
): Promise<void> {
  if (erasedBy) return;
  const there = await conversations.findById(conversationId, { erasedBy: 1 }).lean();
  if (there?.erasedBy) return;
  const recordCount = await records.countDocuments({ owner, conversationId, erasedBy: null });
  if (there) {
    await conversations.updateOne({ _id: conversationId }, { $set: { recordCount }, $inc: { revision: 1 } });
    return;
  }
  const title = { title: conversationTitle(question), titleFrom: _id };
  const dates = { createdAt, updatedAt: createdAt };
  const made = { _id: conversationId, owner, ...title, contact, recordCount, ...dates };
  await unlessDuplicate(conversations.create(made));
}
