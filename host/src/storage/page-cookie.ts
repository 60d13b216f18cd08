import { deskAddress } from 'host/ui/desk-address.ts';
import { BASE } from '../routes.ts';

type Page = Pick<Document, 'cookie'>;

const YEAR_S = 365 * 86_400;

/** The value of a cookie; undefined if the page has none of that name. */
export function readPageCookie(page: Page | undefined, name: string): string | undefined {
  return page?.cookie.match(`(?:^|; )${name}=([^;]*)`)?.[1];
}

/** Stores what the server needs to render the next page. 0 seconds remove it; default a year. */
export function writePageCookie(page: Page, name: string, value: string, seconds = YEAR_S): void {
  page.cookie = `${name}=${value}; Path=${deskAddress(BASE)}; Max-Age=${seconds}; SameSite=Lax`;
}
