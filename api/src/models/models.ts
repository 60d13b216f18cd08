import type { Connection } from 'mongoose';
import { type AuditModel, createAuditModel } from './audit.ts';
import { type BlobModel, createBlobModel } from './blob.ts';
import { type ContactModel, createContactModel } from './contact.ts';
import { type ConversationModel, createConversationModel } from './conversation.ts';
import { createErasureModel, type ErasureModel } from './erasure.ts';
import { createGuestModel, type GuestModel } from './guest.ts';
import { createRecordModel, type RecordModel } from './record.ts';
import { createSessionModel, type SessionModel } from './session.ts';
import { createSettingModel, type SettingModel } from './setting.ts';
import { createUnansweredModel, type UnansweredModel } from './unanswered.ts';
import { createUploadModel, type UploadModel } from './upload.ts';
import { createUsageModel, type UsageModel } from './usage.ts';
import { createUserModel, type UserModel } from './user.ts';

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
