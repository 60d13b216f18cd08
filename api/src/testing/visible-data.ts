import type { Contact, Conversation, ConversationPage, DeskRecord, RecordPage } from '../contract/records.ts';
import type { ContactPage, FoundRecord, RecordStats, SearchPage } from '../contract/search.ts';
import type { Visitor } from './visitor.ts';

/** All stored data that a visitor can see, from every call that returns it. */
interface VisibleData {
  records: DeskRecord[];
  conversations: (Conversation & { records: DeskRecord[] })[];
  contacts: Contact[];
  found: FoundRecord[];
  total: number;
  stats: RecordStats;
}

/** `text` is a word to search for; '' finds all. */
export async function readVisibleData(visitor: Visitor, text = ''): Promise<VisibleData> {
  const records = await everyPage<RecordPage, DeskRecord>(visitor, '/api/records', (page) => page.records);
  const conversations = await everyPage<ConversationPage, Conversation>(
    visitor,
    '/api/conversations',
    (page) => page.conversations,
  );
  const withRecords = await Promise.all(
    conversations.map(async (conversation) => ({
      ...conversation,
      records: await everyPage<RecordPage, DeskRecord>(
        visitor,
        `/api/conversations/${conversation.id}/records`,
        (page) => page.records,
      ),
    })),
  );
  const contacts = await everyPage<ContactPage, Contact>(visitor, '/api/contacts', (page) => page.contacts);
  const found: FoundRecord[] = [];
  let total = 0;
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const filter = { ...(text === '' ? {} : { text }), limit: 100, ...(cursor ? { cursor } : {}) };
    const { body } = await visitor.call<SearchPage>('POST', '/api/search', filter);
    found.push(...body.records);
    total = body.total;
    cursor = body.nextCursor;
  }
  const { body: stats } = await visitor.call<RecordStats>('GET', '/api/stats');
  return { records, conversations: withRecords, contacts, found, total, stats };
}

async function everyPage<Page extends { nextCursor: string | null }, Item>(
  visitor: Visitor,
  path: string,
  itemsOf: (page: Page) => Item[],
): Promise<Item[]> {
  const items: Item[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '?limit=100' : `?limit=100&cursor=${encodeURIComponent(cursor)}`;
    const { status, body } = await visitor.call<Page>('GET', path + query);
    if (status !== 200) throw new Error(`expected a page of ${path}, got ${status} ${JSON.stringify(body)}`);
    items.push(...itemsOf(body));
    cursor = body.nextCursor;
  }
  return items;
}
