import { type Model, Schema, type Types } from 'mongoose';
import { Conversation } from '../contract/records.ts';
import { defineModel } from '../store/define-model.ts';
import { describeAs } from '../store/describe-as.ts';
import { type DocumentOf, field, nullable, optional, required, withDefault } from '../store/fields.ts';
import { termsOf } from '../text/terms.ts';
import { contactPart } from './contact.ts';

/** A conversation is pinned to the top of the list, or only in the list of archived ones. */
export type ConversationPlace = 'pinned' | 'archived';

const fields = {
  owner: required(String),
  title: required(String),
  /** The record from whose question the title was derived; null if the owner set it, missing if unknown. */
  titleFrom: optional<Types.ObjectId | null>(Schema.Types.ObjectId),
  /** Words of a title that the owner has set, see `titleTerms`. A derived one is found by its question. */
  titleTerms: optional<string[]>([String]),
  /** Contact of the latest question. */
  contact: nullable(contactPart),
  recordCount: withDefault(0),
  createdAt: required(Date),
  updatedAt: required(Date),
  /** The deletion that hides it; null if it is not deleted. */
  erasedBy: nullable(Schema.Types.ObjectId),
  /** Incremented whenever it is recalculated or renamed, so that a concurrent question is counted again. */
  revision: field<number, false>({ type: Number, default: 0 }),
  /** Where the owner has put it; null or missing: in the ordinary list. */
  place: optional<ConversationPlace | null>(String),
};

export type ConversationDocument = DocumentOf<typeof fields>;

export const conversationModel = defineModel<ConversationDocument>('Conversation', 'conversations', fields);
conversationModel.schema.index({ owner: 1, erasedBy: 1, updatedAt: -1, _id: -1 });
conversationModel.schema.index({ owner: 1, erasedBy: 1, place: 1, updatedAt: -1, _id: -1 });
conversationModel.schema.index({ owner: 1, titleTerms: 1, updatedAt: -1, _id: -1 });

export type ConversationModel = Model<ConversationDocument>;

export function toConversation(document: ConversationDocument): Conversation {
  const { place } = document;
  return describeAs(Conversation, {
    ...document,
    pinned: place === 'pinned' || undefined,
    archived: place === 'archived' || undefined,
  });
}

/** Moves a conversation back to the ordinary list if it is archived: something new happened in it. */
export async function unarchive(
  conversations: ConversationModel,
  { _id, owner }: Pick<ConversationDocument, '_id' | 'owner'>,
): Promise<void> {
  await conversations.updateOne({ _id, owner, place: 'archived' }, { $set: { place: null } });
}

/** Maximum length of an automatic conversation title, in characters. */
const maxTitleLength = 40;

/** The title of a conversation derived from its first question: one line, cut at a character boundary. */
export function conversationTitle(question: string): string {
  const line = question.replace(/\s+/g, ' ').trim();
  const characters = Array.from(
    new Intl.Segmenter('zh').segment(line.slice(0, 400)),
    ({ segment }) => segment,
  );
  if (characters.length <= maxTitleLength) return line.slice(0, 200);
  return `${characters.slice(0, maxTitleLength).join('').trimEnd()}…`;
}

/** The distinct words by which a search finds a title. */
export function titleTerms(title: string): string[] {
  return [...new Set(termsOf(title).map(({ term }) => term))];
}
