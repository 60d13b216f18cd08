import { languages } from 'api/contract/language';
import type { PageDesk } from 'api/contract/settings';
import { deskAddress } from 'host/ui/desk-address.ts';
import type { Desk, Language } from '../contract.ts';

/** What administrators have set, as embedded in the page. Reads the language each time. */
export function createDesk(page: PageDesk | undefined, language: () => Language): Desk {
  const texts = () => page?.[language()];
  return {
    logoUrl: page?.logoUrl ? deskAddress(page.logoUrl) : '',
    signIn: page?.signIn,
    get name() {
      return [language(), ...languages].map((one) => page?.[one]?.name).find(Boolean) ?? '';
    },
    get greeting() {
      return texts()?.greeting ?? '';
    },
    get starterQuestions() {
      return texts()?.starters ?? NONE;
    },
    get contact() {
      return texts()?.contact ?? '';
    },
    get hours() {
      return texts()?.hours ?? '';
    },
  };
}

/** The same list each time, so that it causes no render. */
const NONE: readonly string[] = [];
