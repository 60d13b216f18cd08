import type { Types } from 'mongoose';
import type { ContactDetails, ContactSummaryPage } from '../../contract/contacts.ts';
import { notFound } from '../../errors/errors.ts';
import type { PageRequest } from '../../store/cursor.ts';
import type { Contacts } from '../contacts.ts';
import type { HiddenRecords } from '../hidden-records.ts';
import type { RecordModels } from '../record-models.ts';

/** Reads contacts with their figures. */
export interface ContactReader {
  /** Most recently used first. @throws invalidRequest('cursor') */
  list(owner: string, q: string, request: PageRequest): Promise<ContactSummaryPage>;
  /** By its normalised id. null if no visible record names it. */
  read(owner: string, contactId: string): Promise<ContactDetails | null>;
  /** The same, or the contact that it was merged into. @throws notFound('contact') */
  find(owner: string, contactId: string): Promise<ContactDetails>;
}

/** Number of merges followed. */
const maxMerges = 10;

export function createContactReader(
  { contacts: documents, contactCards: cards, records }: RecordModels,
  contacts: Pick<Contacts, 'list'>,
  hidden: HiddenRecords,
): ContactReader {
  async function read(owner: string, contactId: string): Promise<ContactDetails | null> {
    const contact = await documents.findOne({ owner, contactId }).lean();
    if (!contact) return null;
    const [card, found] = await Promise.all([
      cards.findOne({ owner, contactId }).lean(),
      records.aggregate<Group<Types.ObjectId>>([
        { $match: { ...(await hidden.visible(owner)), 'contact.id': contactId } },
        { $group: { _id: '$conversationId', ...figures } },
      ]),
    ]);
    if (found.length === 0) return null;
    const at = (of: 'first' | 'last') => found.map((group) => group[of].getTime());
    return {
      id: contactId,
      name: contact.name,
      note: card && !card.isErased ? card.note : '',
      revision: card?.revision ?? 0,
      recordCount: found.reduce((sum, { count }) => sum + count, 0),
      conversationCount: found.length,
      firstAskedAt: new Date(at('first').reduce((one, other) => Math.min(one, other))).toISOString(),
      lastAskedAt: new Date(at('last').reduce((one, other) => Math.max(one, other))).toISOString(),
    };
  }

  return {
    read,

    async find(owner, contactId) {
      let id = contactId;
      for (let merges = 0; merges <= maxMerges; merges += 1) {
        const found = await read(owner, id);
        if (found) return found;
        const card = await cards.findOne({ owner, contactId: id }).lean();
        if (!card?.mergedInto) break;
        id = card.mergedInto;
      }
      throw notFound('contact');
    },

    async list(owner, q, request) {
      const { contacts: page, nextCursor } = await contacts.list(owner, q, request);
      const ids = page.map(({ id }) => id);
      if (ids.length === 0) return { contacts: [], nextCursor };
      const [groups, noted] = await Promise.all([
        records.aggregate<Group<string>>([
          { $match: { ...(await hidden.visible(owner)), 'contact.id': { $in: ids } } },
          { $group: { _id: '$contact.id', ...figures } },
        ]),
        cards.find({ owner, contactId: { $in: ids }, isErased: false, note: { $ne: '' } }).lean(),
      ]);
      const byId = new Map(groups.map((group) => [group._id, group]));
      const withNote = new Set(noted.map(({ contactId }) => contactId));
      const shown = page.flatMap((contact) => {
        const group = byId.get(contact.id);
        // Its last record was deleted since the page was read.
        if (!group) return [];
        const lastAskedAt = group.last.toISOString();
        return [{ ...contact, recordCount: group.count, lastAskedAt, hasNote: withNote.has(contact.id) }];
      });
      return { contacts: shown, nextCursor };
    },
  };
}

interface Group<Id> {
  _id: Id;
  count: number;
  first: Date;
  last: Date;
}

const figures = {
  count: { $sum: 1 },
  first: { $min: '$createdAt' },
  last: { $max: '$createdAt' },
} as const;
