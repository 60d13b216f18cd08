import type { ScreenProps } from 'host/contract';
import { createDateFormats } from 'host/ui/format-date.ts';
import { useTranslate } from 'host/ui/use-translate.ts';
import { useEffect, useMemo, useRef } from 'react';
import { historyTexts } from '../history/history-texts.ts';
import { useAddressParams } from '../lib/address-params.ts';
import { ScreenRoot } from '../lib/screen-root.tsx';
import { ContactDetail } from './contact-detail.tsx';
import { ContactList } from './contact-list.tsx';
import { contactTexts } from './contact-texts.ts';

export const texts = [contactTexts, historyTexts];

/**
 * /contacts: the persons on whose behalf the visitor has asked; with `#id=` one of them, with its figures, note and latest records, to be
 * renamed and merged.
 */
export default function ContactsScreen({ services, language, controls }: ScreenProps) {
  return (
    <main className="page" id="main" tabIndex={-1}>
      <ScreenRoot services={services}>
        <Contacts services={services} language={language} controls={controls} />
      </ScreenRoot>
    </main>
  );
}

function Contacts({ services, language, controls }: Pick<ScreenProps, 'services' | 'language' | 'controls'>) {
  const t = useTranslate(services.i18n, contactTexts);
  const calendar = useMemo(() => createDateFormats(language), [language]);
  const [params] = useAddressParams();
  const id = params.get('id')?.trim() ?? '';
  // Between list and contact the focused link disappears.
  const before = useRef(id);
  useEffect(() => {
    if (before.current !== id && document.activeElement === document.body)
      document.getElementById('main')?.focus({ preventScroll: true });
    before.current = id;
  }, [id]);
  const shared = { services, calendar, t, controls };
  return id ? <ContactDetail key={id} id={id} {...shared} /> : <ContactList {...shared} />;
}
