import type { Contact } from 'api/contract/records';
import type { Http } from 'host/contract';
import { useTexts } from 'host/ui/screen.tsx';
import { useEffect, useRef, useState } from 'react';
import { useServices } from '../../lib/services.ts';
import { filterTexts } from '../../lib/texts.ts';
import { asContactQuery, findContacts } from './contact-label.ts';
import type { DayRange } from './days.ts';
import { type Filter, type Step, timeZone } from './filter.ts';
import { recogniseFilters, takeOut } from './recognise-filters.ts';
import { isSameContact } from './same-contact.ts';

/** The words that each chip was typed as, while its value is unchanged. */
interface Origins {
  dates?: DayRange & { typed: string };
  contact?: { id: string; typed: string };
}

/** Recognises filters in the text of the search field, and turns them back into text. */
export function useRecognition(filter: Filter, onChange: (filter: Filter, step: Step) => void) {
  const { http } = useServices();
  const myself = useTexts(filterTexts)('myself');
  const origins = useRef<Origins>({});
  const plain = useRef<string[]>([]);
  const call = useRef<AbortController>(undefined);
  const [several, setSeveral] = useState('');
  /** The contact found in a text. */
  const [found, setFound] = useState<{ text: string; typed: string; id: string }>();
  useEffect(() => () => call.current?.abort(), []);

  // The contact becomes a filter once the screen shows the results for the text.
  useEffect(() => {
    if (!found || filter.text.trim() !== found.text) return;
    setFound(undefined);
    origins.current = { ...origins.current, contact: found };
    onChange({ ...filter, text: takeOut(found.text, found.typed), contact: found.id }, 'replace');
  }, [found, filter, onChange]);

  const keepPlain = (text: string) => {
    plain.current = plain.current.filter((typed) => text.includes(typed));
  };

  const forget = () => {
    call.current?.abort();
    setSeveral('');
    setFound(undefined);
  };

  /** Turns words that became a filter into text again, which is not recognised any more. */
  const putBack = (typed: string, off: Partial<Filter>) => {
    if (typed) plain.current = [...plain.current, typed];
    onChange({ ...filter, ...off, text: [typed, filter.text.trim()].filter(Boolean).join(' ') }, 'push');
  };

  const lookUp = async (text: string, candidates: string[]) => {
    const leaving = new AbortController();
    call.current = leaving;
    const named = candidates.includes(myself)
      ? { typed: myself, contacts: [{ id: '', name: '' }] }
      : // Without the contacts the words are searched for as words.
        await findContact(http, candidates, leaving.signal).catch(() => undefined);
    const [contact, ...others] = named?.contacts ?? [];
    if (!named || !contact || leaving.signal.aborted) return;
    if (others.length > 0) setSeveral(named.typed);
    else setFound({ text, typed: named.typed, id: contact.id });
  };

  return {
    /** A name in the text that belongs to several contacts; '' for none. */
    several,
    /** The dates that Enter would recognise in this text; '' for none. */
    datesIn: (text: string): string => read(text, plain.current).dates?.typed ?? '',
    /** Searches for the typed text: dates and contacts in it become filters. Returns the remaining text. */
    submit(typed: string): string {
      forget();
      keepPlain(typed);
      const { text, dates, candidates } = read(typed, plain.current);
      if (dates) origins.current = { ...origins.current, dates };
      onChange({ ...filter, text, ...(dates && { from: dates.from, to: dates.to }) }, 'push');
      if (candidates.length > 0) void lookUp(text, candidates);
      return text;
    },
    /** Called while typing: a word that the visitor made text again and then edits may be recognised again. */
    follow(text: string): void {
      forget();
      keepPlain(text);
    },
    /** Removes the dates; dates typed as words become text again. */
    dropDates(): void {
      const { dates } = origins.current;
      const isSame = dates && dates.from === filter.from && dates.to === filter.to;
      putBack(isSame ? dates.typed : '', { from: '', to: '' });
    },
    dropContact(): void {
      const { contact } = origins.current;
      putBack(contact && contact.id === filter.contact ? contact.typed : '', { contact: null });
    },
  };
}

function read(text: string, plain: readonly string[]) {
  return recogniseFilters(text, { now: new Date(), timeZone: timeZone(), plain });
}

interface FoundContact {
  /** The part of the text that names the contact. */
  typed: string;
  /** One contact, or all contacts with this name. */
  contacts: Contact[];
}

/**
 * Looks for contacts whose whole id or name equals one of `candidates`, in this order; undefined if there is none.
 * @throws HttpFailure
 */
async function findContact(
  http: Http,
  candidates: readonly string[],
  signal: AbortSignal,
): Promise<FoundContact | undefined> {
  const found = await Promise.all(
    candidates.map(async (typed) => ({ typed, contacts: await named(http, typed, signal) })),
  );
  return found.find(({ contacts }) => contacts.length > 0);
}

async function named(http: Http, typed: string, signal: AbortSignal): Promise<Contact[]> {
  const query = asContactQuery(typed);
  const isSame = (text: string) => text.normalize('NFKC').toLowerCase() === query.toLowerCase();
  const contacts = await findContacts(http, query, 100, signal);
  const byId = contacts.filter(({ id }) => isSameContact(query, id));
  return byId.length > 0 ? byId : contacts.filter(({ name }) => isSame(name));
}
