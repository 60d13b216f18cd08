import type { Connection } from 'mongoose';
import { createGuestModel, type GuestModel } from '../accounts/guest.ts';
import { createSessionModel, type SessionModel } from '../accounts/session.ts';
import { createUsageModel, type UsageModel } from '../accounts/usage.ts';
import { createUserModel, type UserModel } from '../accounts/user.ts';
import { type BlobModel, createBlobModel } from '../files/blob.ts';
import { createUploadModel, type UploadModel } from '../files/upload.ts';
import { type ContactModel, createContactModel } from '../records/contact.ts';
import { type ConversationModel, createConversationModel } from '../records/conversation.ts';
import { type AuditModel, createAuditModel } from '../records/erasure/audit.ts';
import { createErasureModel, type ErasureModel } from '../records/erasure/erasure.ts';
import { createRecordModel, type RecordModel } from '../records/record.ts';
import { createUnansweredModel, type UnansweredModel } from '../knowledge/unanswered.ts';
import { createSettingModel, type SettingModel } from './setting.ts';

/** The models of one connection: two desks in one process share none. */
export interface Models {
  users: UserModel;
  sessions: SessionModel;
  guests: GuestModel;
  settings: SettingModel;
  contacts: ContactModel;
  conversations: ConversationModel;
  records: RecordModel;
  erasures: ErasureModel;
  audits: AuditModel;
  usage: UsageModel;
  uploads: UploadModel;
  blobs: BlobModel;
  unanswered: UnansweredModel;
}

export function createModels(connection: Connection): Models {
  return {
    users: createUserModel(connection),
    sessions: createSessionModel(connection),
    guests: createGuestModel(connection),
    settings: createSettingModel(connection),
    contacts: createContactModel(connection),
    conversations: createConversationModel(connection),
    records: createRecordModel(connection),
    erasures: createErasureModel(connection),
    audits: createAuditModel(connection),
    usage: createUsageModel(connection),
    uploads: createUploadModel(connection),
    blobs: createBlobModel(connection),
    unanswered: createUnansweredModel(connection),
  };
}

/** Declares every index; what is there already stays as it is. */
export async function createIndexes(models: Models): Promise<void> {
  await Promise.all(Object.values(models).map((model) => model.createIndexes()));
}
