import { Readable } from 'node:stream';
import type { ImportReply, RecordArchive } from '../contract/archives.ts';
import type { ErrorBody } from '../contract/error-body.ts';
import type { Conversation, DeskRecord } from '../contract/records.ts';
import type { Reply, Visitor } from './visitor.ts';

/** An id of 24 hexadecimal digits that starts with `n`. */
export function idOf(n: number, last = 'a'): string {
  return n.toString(16).padStart(23, '0') + last;
}

/**
 * A record in archive format. The `n`th is asked `n` minutes after the first, by default in conversation `n`.
 */
export function archiveRecord(n: number, more: Partial<DeskRecord> = {}): DeskRecord {
  const at = Date.UTC(2026, 0, 5) + n * 60_000;
  return {
    id: idOf(n),
    conversationId: idOf(n, 'c'),
    contact: null,
    kind: 'chat',
    status: 'done',
    question: `Question ${n}`,
    answer: `Answer ${n}`,
    citations: [],
    source: 'document',
    isImage: false,
    url: '',
    imgUrls: [],
    files: [],
    feedback: null,
    suggestions: [],
    model: '',
    reasoning: '',
    answeredSince: null,
    createdAt: new Date(at).toISOString(),
    answeredAt: new Date(at + 1500).toISOString(),
    ...more,
  };
}

/** An archive of these; missing conversations are created from the records. */
export function archiveOf(
  records: readonly unknown[],
  conversations: readonly unknown[] = [],
): Record<keyof RecordArchive, unknown> {
  return {
    format: 'consultation-desk-records',
    version: 1,
    exportedAt: '2026-01-05T00:00:00.000Z',
    conversations,
    records,
  };
}

export async function importArchive(
  visitor: Visitor,
  archive: unknown,
): Promise<Reply<ImportReply & ErrorBody>> {
  return visitor.call<ImportReply & ErrorBody>('POST', '/api/import', archive);
}

/** Sends an archive as a stream. */
export async function importPieces(
  visitor: Visitor,
  pieces: Iterable<string> | AsyncIterable<string>,
): Promise<{ status: number; body: ImportReply & ErrorBody }> {
  const response = await visitor.fetch('POST', '/api/import', {
    headers: { 'Content-Type': 'application/json' },
    body: Readable.toWeb(Readable.from(pieces, { objectMode: false })) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  return { status: response.status, body: (await response.json()) as ImportReply & ErrorBody };
}

export async function exportJson(visitor: Visitor, what: object = { filter: {} }): Promise<RecordArchive> {
  const { status, body } = await visitor.call<RecordArchive>('POST', '/api/export', {
    ...what,
    format: 'json',
  });
  if (status !== 200) throw new Error(`expected an export, got ${status} ${JSON.stringify(body)}`);
  return body;
}

/** The parts that two exports of the same data have in common. */
export function withoutDate({ records, conversations }: RecordArchive): {
  records: DeskRecord[];
  conversations: Conversation[];
} {
  return { records, conversations: [...conversations].sort((a, b) => (a.id < b.id ? -1 : 1)) };
}
