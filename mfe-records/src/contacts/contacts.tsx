import type { ContactSearch, ContactSummary, ContactSummaryPage } from 'api/contract/contacts';
import { Button } from 'host/ui/button.tsx';
import { grouped } from 'host/ui/grouped.ts';
import { EmptyState } from 'host/ui/problem.tsx';
import { pause } from 'host/ui/queries.ts';
import { ScreenHead, Time, useTexts } from 'host/ui/screen.tsx';
import { SearchField } from 'host/ui/search-field.tsx';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { asContactQuery, contactAddress, contactLabel, spacedId } from '../history/filters/contact-label.ts';
import { useAddressParams } from '../lib/address-params.ts';
import { NoRecords } from '../lib/no-records.tsx';
import { screenOf } from '../lib/screen-root.tsx';
import { useDesk } from '../lib/services.ts';
import { contactTexts, historyTexts } from '../lib/texts.ts';
import { ListRest, usePagedList } from '../lib/use-paged-list.tsx';
import { ContactDetail } from './contact-detail.tsx';
import styles from './contact-page.module.css';

export const texts = [contactTexts, historyTexts];

/**
 * /contacts: the persons on whose behalf the visitor has asked; with `#id=` one of them, with its figures, note and latest records, to be
 * renamed and merged.
 */
export default screenOf(Contacts);

function Contacts() {
  const [params] = useAddressParams();
  const id = params.get('id')?.trim() ?? '';
  // When switching between list and contact, the focused link disappears.
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== id && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    before.current = id;
  }, [id]);
  return id ? <ContactDetail key={id} id={id} /> : <ContactList />;
}

const TYPING_MS = 150;

/** All contacts, most recently used first, with a search. */
function ContactList() {
  const { t, http } = useDesk(contactTexts);
  const [typed, setTyped] = useState('');
  const query = asContactQuery(typed);
  const list = usePagedList<ContactSummary>({
    key: ['contact list', query],
    async read(cursor, limit, signal) {
      if (query) await pause(TYPING_MS, signal);
      const body: ContactSearch = {
        details: true,
        limit,
        ...(query && { q: query }),
        ...(cursor && { cursor }),
      };
      const { data } = await http.post<ContactSummaryPage>('/api/contacts/search', body, { signal });
      return { items: data.contacts, total: 0, nextCursor: data.nextCursor };
    },
  });
  const { items, hasBegun, hasMore, isBehind } = list;
  const isBare = hasBegun && !isBehind && !query && items.length === 0;

  return (
    <>
      <ScreenHead
        title={t('contacts')}
        aside={
          <span className="count num" role="status">
            {hasBegun && !hasMore && !query && t('contacts.count', { count: items.length })}
          </span>
        }
      />
      <div className={`body ${styles.list}`}>
        {!isBare && (
          <div className={styles.find}>
            <SearchField
              label={t('contacts.find')}
              name="find"
              autoComplete="off"
              spellCheck={false}
              maxLength={120}
              value={typed}
              onText={setTyped}
            />
          </div>
        )}
        {items.length > 0 && <Rows contacts={items} />}
        <ListRest
          list={list}
          title={t('contacts.failed')}
          more={t('loadMore')}
          className="mt-s4"
          label={t('contacts.loading')}
          lines={['half', 'most', 'half']}
        >
          {isBare && <NoRecords title={t('contacts.empty')} about={t('contacts.empty.about')} />}
          {query && !isBehind && (
            <EmptyState
              role="status"
              title={t('contacts.none', { query: typed.trim() })}
              about={t('contacts.none.about')}
            >
              <Button label={t('contacts.back')} onClick={() => setTyped('')} />
            </EmptyState>
          )}
        </ListRest>
      </div>
    </>
  );
}

function Rows({ contacts }: { contacts: ContactSummary[] }) {
  const t = useTexts(contactTexts);
  return (
    <table className={`table ink-links targets mt-s2 ${styles.table}`}>
      <caption className="sr">{t('contacts')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('contact')}</th>
          <th scope="col" className="right">
            {t('history.title')}
          </th>
          <th scope="col" className="right">
            {t('col.last')}
          </th>
        </tr>
      </thead>
      <tbody>
        {contacts.map((contact) => (
          <tr key={contact.id}>
            <td>
              <Link className="strong breakable" to={contactAddress(contact.id)} dir="auto">
                {contactLabel(contact)}
              </Link>
              {contact.name && contact.name !== contact.id && (
                <span className="type-small quiet num breakable">{spacedId(contact.id)}</span>
              )}
              {contact.hasNote && <span className="tag">{t('hasNote')}</span>}
            </td>
            <td className="right num">{grouped(contact.recordCount)}</td>
            <td className="right num nowrap">
              <Time at={contact.lastAskedAt} as="day" />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
