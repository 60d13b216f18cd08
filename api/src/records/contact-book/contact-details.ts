import type { Types } from 'mongoose';
import type { ContactDetails, ContactSummaryPage } from '../../contract/contacts.ts';
import { notFound } from '../../errors/errors.ts';
import type { PageRequest } from '../../store/cursor.ts';
import type { Contacts } from '../contacts.ts';
import type { HiddenRecords, RecordCondition } from '../hidden-records.ts';
import type { RecordModels } from '../record-models.ts';
import { contactTerm } from '../search/record-terms.ts';
import { mergesOf } from './contact-card.ts';

export type ContactReader = ReturnType<typeof createContactReader>;

export function createContactReader(
  { contacts: documents, contactCards: cards, records }: RecordModels,
  contacts: Pick<Contacts, 'list'>,
  hidden: HiddenRecords,
) {
  /** By its normalised id. null if no visible record names it. */
  async function read(owner: string, contactId: string): Promise<ContactDetails | null> {
    const contact = await documents.findOne({ owner, contactId }).lean();
    if (!contact) return null;
    const [card, found] = await Promise.all([
      cards.findOne({ owner, contactId }).lean(),
      records.aggregate<Group>([
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

  /** Reads index entries only, unless a deletion is running: records that are not deleted have a term for their contact. */
  async function usedBy(owner: string, contactId: string, notHidden: RecordCondition) {
    const theirs = { owner, terms: { $all: [contactTerm(contactId)] }, ...notHidden };
    const [recordCount, last] = await Promise.all([
      records.countDocuments(theirs),
      records.findOne(theirs, { createdAt: 1 }).sort({ createdAt: -1, _id: -1 }).lean(),
    ]);
    return { recordCount, last };
  }

  return {
    read,

    /** The same, or the contact that it was merged into. @throws notFound('contact') */
    async find(owner: string, contactId: string): Promise<ContactDetails> {
      for await (const id of mergesOf(cards, owner, contactId)) {
        const found = await read(owner, id);
        if (found) return found;
      }
      throw notFound('contact');
    },

    /** Most recently used first. @throws invalidRequest('cursor') */
    async list(owner: string, q: string, request: PageRequest): Promise<ContactSummaryPage> {
      const { contacts: page, nextCursor } = await contacts.list(owner, q, request);
      const ids = page.map(({ id }) => id);
      if (ids.length === 0) return { contacts: [], nextCursor };
      const notHidden = await hidden.notHidden(owner);
      const [used, noted] = await Promise.all([
        Promise.all(ids.map((id) => usedBy(owner, id, notHidden))),
        cards.find({ owner, contactId: { $in: ids }, isErased: false, note: { $ne: '' } }).lean(),
      ]);
      const withNote = new Set(noted.map(({ contactId }) => contactId));
      const shown = page.flatMap((contact, at) => {
        const { recordCount, last } = used[at]!;
        // Its last record was deleted since the page was read.
        if (!last) return [];
        const lastAskedAt = last.createdAt.toISOString();
        return [{ ...contact, recordCount, lastAskedAt, hasNote: withNote.has(contact.id) }];
      });
      return { contacts: shown, nextCursor };
    },
  };
}

interface Group {
  _id: Types.ObjectId;
  count: number;
  first: Date;
  last: Date;
}

const figures = { count: { $sum: 1 }, first: { $min: '$createdAt' }, last: { $max: '$createdAt' } } as const;
