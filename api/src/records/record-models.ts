import { modelsOf } from '../store/define-model.ts';
import { contactModel } from './contact.ts';
import { contactCardModel } from './contact-book/contact-card.ts';
import { contactUndoModel } from './contact-book/contact-undo.ts';
import { conversationModel } from './conversation.ts';
import { auditModel } from './deletion/audits.ts';
import { deletionModel } from './deletion/deletion.ts';
import { recordModel } from './record.ts';
import { shareModel } from './sharing/share.ts';
import { countedDayModel } from './statistics/counted-day.ts';
import { deskDayModel } from './statistics/desk-days.ts';

export type RecordModels = ReturnType<typeof createRecordModels>;
export const createRecordModels = modelsOf({
  records: recordModel,
  conversations: conversationModel,
  contacts: contactModel,
  contactCards: contactCardModel,
  contactUndos: contactUndoModel,
  deletions: deletionModel,
  audits: auditModel,
  shares: shareModel,
  countedDays: countedDayModel,
  deskDays: deskDayModel,
});
