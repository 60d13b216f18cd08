import type { Types } from 'mongoose';
import type { Handover } from '../../contract/handover.ts';
import type { Language } from '../../contract/language.ts';
import { notFound } from '../../errors/errors.ts';
import { pages, readPage } from '../../store/cursor.ts';
import { toObjectId } from '../../store/object-id.ts';
import type { ConversationSummaries } from '../conversation-summaries.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { MadeReport } from '../pdf/report-job.ts';
import type { Reports } from '../pdf/reports.ts';
import type { RecordDocument } from '../record.ts';
import type { RecordModels } from '../record-models.ts';
import { writeConversation } from './write-conversation.ts';

/** How a conversation is written: language of the labels, IANA time zone of days and times. */
export interface Wanted {
  language: Language;
  tz: string;
}

/** The requests for a person of a conversation that its owner sees, oldest first. */
export interface ConversationHandovers {
  ofConversation(owner: string, conversationId: Types.ObjectId): Promise<Handover[]>;
}

/** A conversation as a file, oldest record first, then its messages with people. Both methods throw notFound('conversation') if the id is not one of the owner's. */
export function createConversationExport(deps: {
  models: Pick<RecordModels, 'records'>;
  hidden: HiddenRecords;
  summaries: Pick<ConversationSummaries, 'find' | 'adjustToVisible'>;
  reports: Pick<Reports, 'ofConversation'>;
  handovers: ConversationHandovers;
}) {
  const { hidden, summaries, reports, handovers } = deps;
  const { records } = deps.models;

  async function conversationOf(owner: string, id: string) {
    const notHidden = await hidden.notHidden(owner);
    const found = await summaries.find(owner, toObjectId(id, 'conversation'), notHidden);
    const [shown] = found ? await summaries.adjustToVisible(owner, [found], notHidden) : [];
    if (!shown) throw notFound('conversation');
    return shown;
  }

  async function* read(owner: string, conversationId: Types.ObjectId): AsyncGenerator<RecordDocument[]> {
    const all = pages(async (request) => {
      const condition = { conversationId, ...(await hidden.visible(owner)) };
      return readPage(records, { createdAt: 1, _id: 1 }, 'export', request, condition);
    });
    for await (const some of all) yield await hidden.shownTo(owner, some);
  }

  return {
    /** Read and written on demand: only one slice of records is in memory. */
    async markdown(
      owner: string,
      id: string,
      wanted: Wanted,
    ): Promise<{ title: string; pieces: AsyncIterable<string> }> {
      const { _id, title } = await conversationOf(owner, id);
      const people = await handovers.ofConversation(owner, _id);
      return { title, pieces: writeConversation({ ...wanted, title, people }, read(owner, _id)) };
    },

    /** @throws what `Reports.make` throws. */
    async pdf(
      owner: string,
      id: string,
      wanted: Wanted,
      options: { caller: string; signal: AbortSignal },
    ): Promise<MadeReport> {
      const { _id, title } = await conversationOf(owner, id);
      const people = await handovers.ofConversation(owner, _id);
      return reports.ofConversation(owner, { ...wanted, title, people }, read(owner, _id), options);
    },
  };
}
