import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { Types } from 'mongoose';
import type { DeskRecord } from '../../contract/contract.ts';
import { type RecordDocument, toDeskRecord } from '../record.ts';

/** What the store has under an id of the archive. */
interface Known {
  _id: Types.ObjectId;
  owner: string;
}

/** What becomes of one record of an archive. `before` is the owner's own one of that id, also an erased one. */
export interface Planned {
  fate: 'imported' | 'unchanged' | 'renamed';
  wanted: DeskRecord;
  before: RecordDocument | null;
}

/**
 * The id that an owner has for a thing whose own id is another owner's. It follows from both, so that it is the same one every time, and
 * nobody who does not know them learns anything from it.
 */
export function renamedId(owner: string, id: string): string {
  return createHash('sha256').update(`${owner}\n${id}`).digest('hex').slice(0, 24);
}

/** The ids to look up for `ids`: as they are, and as they would be renamed. */
export function idsToLookUp(owner: string, ids: Iterable<string>): Types.ObjectId[] {
  const all = [...new Set(ids)].flatMap((id) => [id, renamedId(owner, id)]);
  return all.map((id) => new Types.ObjectId(id));
}

/** Says under which id the owner has, or will have, what the archive calls by another one. `known` is what was found of `idsToLookUp`. */
export function createIdMap(owner: string, known: readonly Known[]): (id: string) => string {
  const owners = new Map(known.map((one) => [one._id.toHexString(), one.owner]));
  return (id) => {
    const renamed = renamedId(owner, id);
    // Once renamed, for ever: also when the other owner's has gone meanwhile.
    if (owners.get(renamed) === owner) return renamed;
    const has = owners.get(id);
    return has === undefined || has === owner ? id : renamed;
  };
}

/**
 * Holds one record of an archive against what is there. The archive's content wins, with two exceptions: what is being answered now is
 * left alone, and what was being answered when the archive was written says nothing about a record that is there.
 * Files are only named where the owner's own record names them already: an archive carries none.
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
  };
  if (before?.erasedBy === null) {
    const isMoving = before.status === 'answering' || record.status === 'answering';
    if (isMoving || isDeepStrictEqual(toDeskRecord(before), wanted)) {
      return {
        fate: 'unchanged',
        wanted: { ...wanted, conversationId: before.conversationId.toHexString() },
        before,
      };
    }
  }
  return { fate: id === record.id || before ? 'imported' : 'renamed', wanted, before };
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
