import type { PageRoute } from 'api/contract/pages';
import auth from '../../../mfe-auth/desk.json' with { type: 'json' };
import chat from '../../../mfe-chat/desk.json' with { type: 'json' };
import records from '../../../mfe-records/desk.json' with { type: 'json' };
import host from '../../desk.json' with { type: 'json' };

const RELEASES = { 'mfe-chat': chat, 'mfe-auth': auth, 'mfe-records': records, host };

/**
 * The routes of this project's releases, as a page's composition lists them. Without those for administrators: where they exist, the frame asks
 * the server for the rights of the account.
 */
export const SAMPLE_ROUTES = Object.entries(RELEASES)
  .flatMap(([name, { routes }]) => routes.map((route) => ({ ...route, screen: `${name}/${route.module}` })))
  .filter(({ path }) => !['/settings', '/people', '/audit'].includes(path)) as PageRoute[];
