import type { SecondFactorState } from 'api/contract/accounts';
import type { OpsSession } from 'api/contract/releases';
import type { SettingsAccess } from 'api/contract/settings';
import type { ConfirmPage } from 'api/contract/single-sign-on';
import { BehaviorSubject, skip } from 'rxjs';
import type { HostServices } from '../contract.ts';

export interface OpsLease {
  token: string;
  /** End by the browser's clock, in ms since the epoch. */
  endsAt: number;
  /** Name of the ops token, or `@` and the name of the account. */
  name: string;
  /** Whether it may manage tokens. */
  isAdmin: boolean;
}

export type OpsToken = ReturnType<typeof createOpsToken>;

type Services = Pick<HostServices, 'http' | 'session'>;

const tokens = new WeakMap<HostServices['session'], OpsToken>();

/** Created once per page, so that it remains after navigation to another screen. */
export function opsTokenOf(services: Services): OpsToken {
  const opsToken = tokens.get(services.session) ?? createOpsToken(services);
  tokens.set(services.session, opsToken);
  return opsToken;
}

/** The permission to change what is live: a token for 30 minutes, in memory only. A reload, a sign-out and a change of user end it. */
function createOpsToken({ http, session }: Services) {
  const lease$ = new BehaviorSubject<OpsLease | null>(null);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const forget = (): void => {
    clearTimeout(timer);
    if (lease$.value) lease$.next(null);
  };
  const lend = async (url: string, body?: object, headers: Record<string, string> = {}): Promise<void> => {
    const owner = session.username$.value;
    const reply = await http.post<OpsSession>(url, body, { headers });
    const { data } = reply;
    // The visitor has signed out meanwhile.
    if (session.username$.value !== owner) return;
    const lastsMs = Date.parse(data.expiresAt) - serverNow(reply.headers.date);
    clearTimeout(timer);
    timer = setTimeout(forget, lastsMs);
    lease$.next({
      token: data.token,
      endsAt: Date.now() + lastsMs,
      name: data.name,
      isAdmin: data.scopes.includes('admin'),
    });
  };
  session.username$.pipe(skip(1)).subscribe(forget);

  return {
    lease$,
    /** Exchanges the ops token, which is not stored. Rejects with HttpFailure: 401 `ops_token_wrong`, 429 `rate_limited`. */
    trade: (token: string) => lend('/ops/session', undefined, { Authorization: `Bearer ${token}` }),
    /**
     * Instead of an ops token, uses the visitor's account with the right to operate. Needs its password, or none after signing in again at
     * the provider. Rejects with HttpFailure.
     */
    prove: (password?: string) => lend('/api/operate', password === undefined ? {} : { password }),
    /** How the visitor's account can be proven; null if it does not have this right. */
    async wayToProve(): Promise<'password' | 'provider' | null> {
      const { data } = await http.get<SettingsAccess>('/api/settings/access');
      if (!data.rights.includes('operate')) return null;
      const { hasPassword } = (await http.get<SecondFactorState>('/admin/second-factor')).data;
      return hasPassword ? 'password' : 'provider';
    },
    /** The page of the provider, which signs the visitor in again and returns to /composition?confirm=<outcome>. */
    confirmPage: async (): Promise<string> =>
      (await http.post<ConfirmPage>('/admin/sso/confirm', { purpose: 'operate' })).data.url,
    forget,
  };
}

/** The server's time, because a wrong browser clock must not shorten the lease. */
function serverNow(date: unknown): number {
  const serverTime = typeof date === 'string' ? Date.parse(date) : Number.NaN;
  return Number.isFinite(serverTime) ? serverTime : Date.now();
}
