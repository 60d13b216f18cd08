import type { Connection } from 'mongoose';
import { type ContactModel, createContactModel } from './contact.ts';
import { type ContactCardModel, createContactCardModel } from './contact-book/contact-card.ts';
import { type ContactUndoModel, createContactUndoModel } from './contact-book/contact-undo.ts';
import { type ConversationModel, createConversationModel } from './conversation.ts';
import { type AuditModel, createAuditModel } from './deletion/audits.ts';
import { createDeletionModel, type DeletionModel } from './deletion/deletion.ts';
import { createRecordModel, type RecordModel } from './record.ts';
import { createShareModel, type ShareModel } from './sharing/share.ts';
import { type CountedDayModel, createCountedDayModel } from './statistics/counted-day.ts';
import { createDeskDayModel, type DeskDayModel } from './statistics/desk-days.ts';

export interface RecordModels {
  records: RecordModel;
  conversations: ConversationModel;
  contacts: ContactModel;
  contactCards: ContactCardModel;
  contactUndos: ContactUndoModel;
  deletions: DeletionModel;
  audits: AuditModel;
  shares: ShareModel;
  countedDays: CountedDayModel;
  deskDays: DeskDayModel;
}

export function createRecordModels(connection: Connection): RecordModels {
  return {
    records: createRecordModel(connection),
    conversations: createConversationModel(connection),
    contacts: createContactModel(connection),
    contactCards: createContactCardModel(connection),
    contactUndos: createContactUndoModel(connection),
    deletions: createDeletionModel(connection),
    audits: createAuditModel(connection),
    shares: createShareModel(connection),
    countedDays: createCountedDayModel(connection),
    deskDays: createDeskDayModel(connection),
  };
}
