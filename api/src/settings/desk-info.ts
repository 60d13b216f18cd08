import { languages } from '../contract/language.ts';
import type { DeskInfo, DeskSettings, DeskTexts, PageDesk } from '../contract/settings.ts';
import type { SignInWays } from '../contract/single-sign-on.ts';
import type { DeskSettingsStore } from './desk-settings.ts';
import { logoUrl } from './logos.ts';

/** The public settings. */
export function deskInfo({ texts, logo }: DeskSettings): DeskInfo {
  return { texts, logoUrl: logo === null ? null : logoUrl(logo) };
}

/** The settings that a page needs; undefined if nothing is set, so that the page is the same as without settings. */
function pageDesk({ texts, logo, language }: DeskSettings, signIn: SignInWays): PageDesk | undefined {
  const desk: PageDesk = {
    ...(signIn.providers.length === 0 ? {} : { signIn }),
    ...(logo === null ? {} : { logoUrl: logoUrl(logo) }),
    ...(language === null ? {} : { language }),
  };
  for (const one of languages) {
    const set = setTexts(texts[one]);
    if (set) desk[one] = set;
  }
  return Object.keys(desk).length > 0 ? desk : undefined;
}

/** The settings that pages need, as the same object until they change. */
export function createReadDesk(
  { latest }: Pick<DeskSettingsStore, 'latest'>,
  signIn: SignInWays,
): () => PageDesk | undefined {
  let settings: DeskSettings | undefined;
  let desk: PageDesk | undefined;
  return () => {
    const now = latest();
    if (now !== settings) desk = pageDesk(now, signIn);
    settings = now;
    return desk;
  };
}

function setTexts({ notFound: _, ...texts }: DeskTexts): PageDesk['zh'] {
  const set = Object.entries(texts).filter(([, text]) => text.length > 0);
  return set.length > 0 ? Object.fromEntries(set) : undefined;
}
