import type { Connection } from 'mongoose';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import type { SessionUser } from '../http/desk-state.ts';
import type { AccountModels } from './account-models.ts';
import { createAccounts } from './accounts.ts';
import { createDeviceCookies } from './device-cookie.ts';
import { createGroups } from './groups.ts';
import { createRouteGuard } from './guard-routes.ts';
import { createGuestCookies } from './guest-cookie.ts';
import type { OwnedData } from './guests.ts';
import { createGuests } from './guests.ts';
import { createIdentity } from './identify.ts';
import { createOneTimeLinks } from './one-time-links.ts';
import { createOpenStreams } from './open-streams.ts';
import { createOperators } from './operators.ts';
import { createPasskeys } from './passkeys.ts';
import { createPeople } from './people.ts';
import { createProofs } from './proofs.ts';
import { createProviders } from './providers.ts';
import { createQuotas } from './quotas.ts';
import { createLocalRateLimit, createRateLimit, createRateLimitIndexes } from './rate-limit.ts';
import { createRights } from './rights.ts';
import { createRoles } from './roles.ts';
import { createSecondFactors } from './second-factors.ts';
import { createSessions } from './sessions.ts';
import { createSetup } from './setup.ts';
import { createSingleSignOn } from './single-sign-on.ts';
import { createSsoCookies } from './sso-cookies.ts';

/** Page reports, log-outs at a provider, and challenges for passkeys, accepted per minute from one address, which may be shared by an office. */
const reportsPerMinute = 600;
/** Reads of shared conversations accepted per minute from one address; each file is one. */
const sharedPerMinute = 120;
/** Previews of a report while its title is typed, compared with complete reports. */
const previewsPerPdf = 4;

export type OpenAccounts = Awaited<ReturnType<typeof openAccounts>>;

/** `owned` is all data that owners have in other domains, `bytesKept` the size of their files, `isEditor` whether someone may change any knowledge. */
export async function openAccounts(deps: {
  connection: Connection;
  models: AccountModels;
  config: Config;
  log: Logger;
  keyFor: (use: string) => Buffer;
  owned: OwnedData;
  bytesKept: (owner: string) => Promise<number>;
  isEditor: (user: SessionUser) => Promise<boolean>;
}) {
  const { connection, models, config, log, keyFor, owned, bytesKept, isEditor } = deps;
  await createRateLimitIndexes(connection);
  const sessions = createSessions(models, config);
  const guests = createGuests(models, owned, config);
  const rights = createRights(config);
  const roles = createRoles(models, rights, config, log);
  await roles.adopt();
  const setup = createSetup(roles, keyFor('setup'), config);
  const secondFactors = createSecondFactors(connection, models, keyFor('second factor'));
  const newAccounts = createRateLimit(connection, 'sign_up', config.limitSignUp);
  const parts = { models, sessions, guests, owned, secondFactors, roles, rights, newAccounts, config };
  const accounts = createAccounts(parts);
  const cookies = createGuestCookies(keyFor('guest cookie'), config);
  const { signIn, requireSignIn, undoDays } = config;
  const { providers } = signIn;
  const groups = createGroups(models);
  const streams = createOpenStreams({ models, rights, sessions, guests });
  const identity = createIdentity({ sessions, guests, cookies, config });
  return {
    accounts,
    proofs: createProofs(models, accounts),
    secondFactors,
    passkeys: createPasskeys({ models, accounts, secondFactors }),
    sessions,
    guests,
    rights,
    roles,
    setup,
    operators: createOperators(models, rights),
    groups,
    people: createPeople(models, { rights, sessions, groups, secondFactors, undoDays }),
    oneTimeLinks: createOneTimeLinks({ models, accounts, setup, rights }),
    singleSignOn: createSingleSignOn({ models, accounts, secondFactors, rights, groups, providers }),
    providers: createProviders(providers),
    ssoCookies: createSsoCookies(keyFor('single sign-on cookie'), config),
    devices: createDeviceCookies(keyFor('device cookie')),
    identity,
    streams,
    guardRoutes: createRouteGuard({ identity, rights, streams, requireSignIn, isEditor }),
    quotas: createQuotas(connection, bytesKept, config),
    limits: {
      chat: createRateLimit(connection, 'chat', config.limitChat),
      signIn: createRateLimit(connection, 'sign_in', config.limitSignIn),
      pdf: createRateLimit(connection, 'pdf', config.limitPdf),
      preview: createRateLimit(connection, 'pdf preview', config.limitPdf * previewsPerPdf),
      reports: createLocalRateLimit(reportsPerMinute),
      passkeys: createLocalRateLimit(reportsPerMinute),
      providerLogout: createLocalRateLimit(reportsPerMinute),
      shared: createLocalRateLimit(sharedPerMinute),
    },
    /** Completes adoptions and deletions of accounts that were interrupted. */
    async resume(): Promise<void> {
      await Promise.all([guests.resume(), accounts.resume()]);
    },
    /** Deletes expired guests and completes interrupted deletions of accounts. */
    async sweep(): Promise<void> {
      await guests.sweep();
      await accounts.removeDue();
      await accounts.resume();
    },
  };
}
