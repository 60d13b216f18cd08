import type { Logger } from 'pino';
import type { AuditStreamState } from '../../contract/audit.ts';
import { postMessage, signMessage } from '../../http/post-message.ts';
import { databaseDate, databaseNow } from '../../store/database-clock.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, nullable, required, withDefault } from '../../store/fields.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { type AuditDocument, type AuditModel, auditLine } from './audit-log.ts';

/** Entries of one request. */
const batchSize = 200;
/** Wait after the first failure in ms, doubled after each further one. */
const backoffMs = 1000;
const maxBackoffMs = 300_000;

const fields = {
  /** There is only `webhook`. */
  _id: required(String),
  /** Number of the last entry that the receiver has accepted. */
  sent: withDefault(0),
  sentAt: nullable(Date),
  /** Failures since then. */
  failures: withDefault(0),
  failure: nullable(String),
  /** When to try again after a failure. */
  retryAt: nullable(Date),
};

const { create } = defineModel<DocumentOf<typeof fields>>('AuditStream', 'audit_streams', fields);

export const createAuditStreamModel = create;

export type AuditStream = NonNullable<ReturnType<typeof createAuditStream>>;

/** Sends the entries of the audit log to AUDIT_WEBHOOK_URL, in order, each at least once. null without the variable. */
export function createAuditStream(
  { audit, auditStreams }: { audit: AuditModel; auditStreams: ReturnType<typeof create> },
  config: {
    auditWebhookUrl: string | null;
    auditWebhookAuthorization: string | null;
    auditWebhookSecret: string | null;
  },
  log: Pick<Logger, 'warn'>,
) {
  const { auditWebhookUrl: url, auditWebhookAuthorization, auditWebhookSecret: secret } = config;
  if (url === null) return null;

  const _id = 'webhook';
  const nothingSent = { sent: 0, sentAt: null, failures: 0, failure: null, retryAt: null };
  const readState = async () => (await auditStreams.findById(_id).lean()) ?? nothingSent;
  const newest = () => audit.findOne({}, { _id: 1 }).sort({ _id: -1 }).lean();
  const after = (sent: number) => audit.find({ _id: { $gt: sent } }).sort({ _id: 1 });

  /** undefined if `signal` has interrupted it. */
  function post(entries: readonly AuditDocument[], signal: AbortSignal) {
    const body = entries.map(auditLine).join('');
    const id = `audit_${entries[0]!._id}_${entries.at(-1)!._id}`;
    const headers = {
      'Content-Type': 'application/x-ndjson',
      ...(auditWebhookAuthorization && { Authorization: auditWebhookAuthorization }),
      ...(secret && signMessage(secret, { id, body, at: databaseDate() })),
    };
    return postMessage(url!, { body, headers }, signal);
  }

  return {
    /**
     * Sends all waiting entries. If the receiver does not accept them, returns the time until the next attempt, in ms. Only one process
     * should run this at a time: two would send entries twice.
     */
    async send(signal: AbortSignal): Promise<number | undefined> {
      while (!signal.aborted) {
        const { sent, failures } = await readState();
        // Entries that a fail-over of the database could still undo are not sent.
        const entries = await after(sent).limit(batchSize).readConcern('majority').lean();
        const outcome = entries.length > 0 && (await post(entries, signal));
        if (!outcome) return undefined;
        const waitMs = Math.min(backoffMs * 2 ** failures, maxBackoffMs);
        const retryAt = new Date(databaseNow() + waitMs);
        const next =
          outcome.error === null
            ? { ...nothingSent, sent: entries.at(-1)!._id, sentAt: databaseDate() }
            : { failures: failures + 1, failure: outcome.error, retryAt };
        const written = auditStreams.updateOne({ _id, sent }, { $set: next }, { upsert: true });
        // Another process has sent them meanwhile.
        if (!(await unlessDuplicate(written))) return undefined;
        if (outcome.error === null) continue;
        log.warn({ failures: failures + 1, ...outcome }, 'the audit log could not be sent');
        return waitMs;
      }
      return undefined;
    },

    /** Whether entries wait, and no time after a failure has to pass first. */
    async isDue(): Promise<boolean> {
      const [{ sent, retryAt }, last] = await Promise.all([readState(), newest()]);
      return (last?._id ?? 0) > sent && (retryAt?.getTime() ?? 0) <= databaseNow();
    },

    async read(): Promise<AuditStreamState> {
      const { sent, sentAt, failure } = await readState();
      const [oldest, last] = await Promise.all([after(sent).findOne().lean(), newest()]);
      return {
        sentAt: sentAt?.toISOString() ?? null,
        waiting: oldest && last ? last._id - oldest._id + 1 : 0,
        waitingSince: oldest?.at.toISOString() ?? null,
        failure,
      };
    },
  };
}
