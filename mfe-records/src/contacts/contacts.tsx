import type { ScreenProps } from 'host/contract';
import { useEffect, useRef } from 'react';
import { useAddressParams } from '../lib/address-params.ts';
import { ScreenRoot } from '../lib/screen-root.tsx';
import { contactTexts, historyTexts } from '../lib/texts.ts';
import { ContactDetail } from './contact-detail.tsx';
import { ContactList } from './contact-list.tsx';

export const texts = [contactTexts, historyTexts];

/**
 * /contacts: the persons on whose behalf the visitor has asked; with `#id=` one of them, with its figures, note and latest records, to be
 * renamed and merged.
 */
export default function ContactsScreen({ services, controls }: ScreenProps) {
  return (
    <ScreenRoot services={services} controls={controls}>
      <Contacts />
    </ScreenRoot>
  );
}

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
