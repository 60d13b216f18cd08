import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Types } from 'mongoose';
import type { DeskRecord } from '../../contract/records.ts';
import { type RecordDocument, toDeskRecord } from '../record.ts';

/** `before` is the owner's record with that id, also if it is deleted. */
export interface Planned {
  outcome: 'imported' | 'unchanged';
  wanted: DeskRecord;
  before: RecordDocument | null;
}

/** For an id of another owner's: equal in repeated imports, and not reversible. */
function renamedId(owner: string, id: string): string {
  return createHash('sha256').update(`${owner}\n${id}`).digest('hex').slice(0, 24);
}

/** The ids to look up for `ids`: the original and the replaced ones. */
export function idsToLookUp(owner: string, ids: Iterable<string>): Types.ObjectId[] {
  const all = [...new Set(ids)].flatMap((id) => [id, renamedId(owner, id)]);
  return all.map((id) => new Types.ObjectId(id));
}

/** Maps ids of the archive to ids of the owner. `known` is the result of looking up `idsToLookUp`. */
export function createIdMap(owner: string, known: readonly { _id: Types.ObjectId; owner: string }[]) {
  const owners = new Map(known.map((one) => [one._id.toHexString(), one.owner]));
  return (id: string): string => {
    const renamed = renamedId(owner, id);
    // A replaced id stays replaced, even if the other owner's item no longer exists.
    if (owners.get(renamed) === owner) return renamed;
    const has = owners.get(id);
    return has === undefined || has === owner ? id : renamed;
  };
}

/**
 * Compares a record of an archive with the stored one. The archive wins, with two exceptions: an answer in
 * progress is not overwritten, and an answer that was in progress at export never replaces an existing
 * record. File references are only kept if the owner's stored record has them, since archives contain no
 * files.
 */
export function planRecord(
  record: DeskRecord,
  ids: { of(id: string): string; ofConversation(id: string): string },
  existing: (id: string) => RecordDocument | undefined,
): Planned {
  const id = ids.of(record.id);
  const before = existing(id) ?? null;
  const wanted: DeskRecord = {
    ...withKnownFiles(record, before),
    id,
    conversationId: ids.ofConversation(record.conversationId),
    status: record.status === 'answering' ? 'failed' : record.status,
    ...(record.versionOf
      ? { versionOf: { ...record.versionOf, recordId: ids.of(record.versionOf.recordId) } }
      : {}),
    // Handovers are not in the archive: their replies stay.
    ...(before?.answeredByPerson ? { answeredByPerson: true } : {}),
  };
  if (before?.erasedBy === null) {
    const isMoving = before.status === 'answering' || record.status === 'answering';
    if (isMoving || isDeepStrictEqual(toDeskRecord(before), wanted)) {
      const conversationId = before.conversationId.toHexString();
      return { outcome: 'unchanged', wanted: { ...wanted, conversationId }, before };
    }
  }
  return { outcome: 'imported', wanted, before };
}

function withKnownFiles(record: DeskRecord, before: RecordDocument | null): DeskRecord {
  const known = before?.files ?? [];
  const urls = new Set([...known.map((file) => file.url), before?.url, ...(before?.imgUrls ?? [])]);
  const url = urls.has(record.url) ? record.url : '';
  return {
    ...record,
    isImage: record.isImage && url !== '',
    url,
    imgUrls: record.imgUrls.filter((one) => urls.has(one)),
    files: record.files.filter((file) => known.some((one) => isDeepStrictEqual({ ...one }, file))),
  };
}
