import type { Types } from 'mongoose';
import type { Handover } from '../contract/handover.ts';

/** The requests for a person of records, with their messages. What changes them can be repeated after a crash. */
export interface RecordHandovers {
  /** All visible ones of an owner. */
  all(owner: string): AsyncIterable<readonly Handover[]>;
  /** Those of a conversation that its owner sees, oldest first. */
  ofConversation(owner: string, conversationId: Types.ObjectId): Promise<Handover[]>;
  /** Ids of the conversations with a reply of a person that the owner has not seen. */
  unreadIn(owner: string): Promise<ReadonlySet<string>>;
  /** Hides those of records, before a deletion marks the records. */
  hide(erasedBy: Types.ObjectId, recordIds: readonly Types.ObjectId[]): Promise<void>;
  restore(erasedBy: Types.ObjectId): Promise<void>;
  /** Deletes those of records, before the records are deleted. */
  remove(recordIds: readonly Types.ObjectId[]): Promise<void>;
}
