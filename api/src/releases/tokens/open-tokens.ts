import { type Connection, Types } from 'mongoose';
import type { Logger } from 'pino';
import type { LogSecurity } from '../../accounts/audit/log-security.ts';
import type { Operators } from '../../accounts/operators.ts';
import { createRateLimit } from '../../accounts/rate-limit.ts';
import type { Config } from '../../config/config.ts';
import type { DeskMiddleware } from '../../http/desk-state.ts';
import { createIndexes } from '../../store/create-indexes.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { repeat } from '../../store/repeat.ts';
import type { SettingModel } from '../../store/setting.ts';
import { within } from '../../store/within.ts';
import { createOpsGuard } from './ops-guard.ts';
import { endConfigured, registerOpsToken, renewConfigured } from './register-ops-token.ts';
import { createTokenModel, createTokens } from './tokens.ts';

/** Interval at which the expiry of OPS_TOKEN is postponed, in ms. */
const RENEW_INTERVAL_MS = 30_000;

/** Maximum time for ending the validity of OPS_TOKEN when the process stops, in ms. */
const END_TIMEOUT_MS = 2000;

/** Opens the tokens of operations and teams, and registers the ops token of this process. */
export async function openTokens(deps: {
  connection: Connection;
  settings: SettingModel;
  config: Config;
  log: Logger;
  keyFor: (use: string) => Buffer;
  logSecurity: LogSecurity;
  needUser: DeskMiddleware;
  operators: Operators;
  isAlone: boolean;
}) {
  const { connection, settings, config, log, keyFor, logSecurity, needUser, operators, isAlone } = deps;
  const model = createTokenModel(connection);
  await createIndexes({ model });
  const now = databaseDate;
  const registered = { model, settings, config, key: keyFor('ops token'), isAlone, log, now };
  await registerOpsToken(registered);
  const tokens = createTokens({ model, settings, configured: config.opsToken, now });
  let renewing: ReturnType<typeof repeat> | undefined;
  return {
    tokens,
    /** Whether the token or the account with this id may still change what is live. */
    isValid: async (id: string): Promise<boolean> =>
      id.startsWith('user:')
        ? (await operators.find(new Types.ObjectId(id.slice('user:'.length)))) !== null
        : tokens.isValid(id),
    ops: createOpsGuard({
      tokens,
      config,
      key: keyFor('ops session'),
      needUser,
      operators,
      wrongTokens: createRateLimit(connection, 'ops_token', config.limitSignIn),
      logSecurity,
    }),
    /** Keeps OPS_TOKEN valid in other processes until `stop`. */
    watch(): void {
      if (config.opsToken) renewing = repeat(RENEW_INTERVAL_MS, log, () => renewConfigured(registered));
    },
    async stop(): Promise<void> {
      await renewing?.stop();
      renewing = undefined;
      // With a store for one process, the next start does it. A store that does not answer delays nothing.
      if (isAlone) return;
      const ended = endConfigured(registered).catch((cause: unknown) =>
        log.warn({ err: cause }, 'OPS_TOKEN stays valid for another two minutes'),
      );
      await within(END_TIMEOUT_MS, ended);
    },
  };
}
