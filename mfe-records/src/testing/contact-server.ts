import type {
  ContactChange,
  ContactChangeReply,
  ContactDetails,
  ContactMergeReply,
  ContactMergeRequest,
  ContactSearch,
  ContactSummaryPage,
  ContactUndo,
  ContactUndoReply,
} from 'api/contract/contacts';
import type { Contact, DeskRecord } from 'api/contract/records';
import { type Answer, type Call, failure } from 'host/stand-ins';
import type { RecordServer } from './record-server.ts';

export interface ContactServer {
  /** Notes and revisions by contact id; a test may change them like another device. */
  cards: Map<string, { note: string; revision: number }>;
  answer: Answer;
}

/** Answers the calls of /contacts like the API, from the records of `server`; passes other calls on. */
export function createContactServer(server: RecordServer): ContactServer {
  const cards: ContactServer['cards'] = new Map();
  const undos = new Map<string, () => ContactUndoReply>();
  const cardOf = (id: string) => cards.get(id) ?? { note: '', revision: 0 };
  const recordsOf = (id: string) => server.records.filter(({ contact }) => contact?.id === id);

  function details(id: string): ContactDetails {
    const records = recordsOf(id);
    const contact = records[0]?.contact;
    if (!contact) throw failure(404, 'not_found', '没有找到这位联系人');
    return {
      ...contact,
      ...cardOf(id),
      recordCount: records.length,
      conversationCount: new Set(records.map(({ conversationId }) => conversationId)).size,
      firstAskedAt: records.at(-1)?.createdAt ?? '',
      lastAskedAt: records[0]?.createdAt ?? '',
    };
  }

  function list(call: Call): ContactSummaryPage {
    const page = server.answer(call) as { contacts: Contact[] };
    const contacts = page.contacts.map(({ id, name }) => {
      const { recordCount, lastAskedAt, note } = details(id);
      return { id, name, recordCount, lastAskedAt, hasNote: note !== '' };
    });
    return { contacts, nextCursor: null };
  }

  function name(id: string, contact: Contact): void {
    const renamed = (record: DeskRecord) => (record.contact?.id === id ? { ...record, contact } : record);
    server.records = server.records.map(renamed);
  }

  function change(id: string, change: ContactChange): ContactChangeReply {
    const { note, revision } = details(id);
    if (change.revision !== revision) throw failure(409, 'conflict', '这位联系人的资料已在别处修改');
    cards.set(id, { note: change.note ?? note, revision: revision + 1 });
    if (change.name === undefined) return details(id);
    const before = server.records;
    name(id, { id, name: change.name });
    return { ...details(id), undo: undoable(id, before) };
  }

  function merge(id: string, { into, dryRun }: ContactMergeRequest): ContactMergeReply {
    const { recordCount, conversationCount, note } = details(id);
    const counts = { records: recordCount, conversations: conversationCount };
    const target = details(into);
    if (dryRun) return { ...counts, contact: target };
    const before = server.records;
    name(id, { id: into, name: target.name });
    const joined = [target.note, note].filter(Boolean).join('\n\n');
    cards.set(into, { note: joined, revision: target.revision + 1 });
    return { ...counts, contact: details(into), undo: undoable(id, before) };
  }

  /** Restores the records as they were. */
  function undoable(id: string, records: DeskRecord[]) {
    const undoToken = `change-${undos.size + 1}`;
    undos.set(undoToken, () => {
      server.records = records;
      return { records: recordsOf(id).length, contact: details(id) };
    });
    return { undoToken, undoUntil: new Date(Date.now() + 86_400_000).toISOString() };
  }

  return {
    cards,
    answer(call) {
      const { method, url, body } = call;
      if (url === '/api/undo_contact') return undos.get((body as ContactUndo).undoToken)?.();
      const search = body as ContactSearch & ContactChange & ContactMergeRequest;
      if (method === 'POST' && url === '/api/contacts/search' && search.details) return list(call);
      if (method === 'POST' && url === '/api/contacts/read') return details(search.id);
      if (method === 'POST' && url === '/api/contacts/merge') return merge(search.id, search);
      if (method === 'PATCH' && url === '/api/contacts') return change(search.id, search);
      return server.answer(call);
    },
  };
}
