import { createHmac } from 'node:crypto';
import { mkdir, open, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Connection, Types } from 'mongoose';
import type { Logger } from 'pino';
import type { LogSecurity } from '../../accounts/audit/log-security.ts';
import type { Operators } from '../../accounts/operators.ts';
import { createRateLimit } from '../../accounts/rate-limit.ts';
import type { Config } from '../../config/config.ts';
import type { DeskMiddleware } from '../../http/desk-state.ts';
import { databaseDate } from '../../store/database-clock.ts';
import { createIndexes } from '../../store/define-model.ts';
import { hashOf } from '../../store/random-token.ts';
import { repeat } from '../../store/repeat.ts';
import type { SettingModel } from '../../store/setting.ts';
import { unlessDuplicate } from '../../store/store-failure.ts';
import { within } from '../../store/within.ts';
import { createOpsGuard } from './ops-guard.ts';
import {
  createTokenModel,
  createTokens,
  isUsable,
  newToken,
  permanentAdmins,
  type TokenModel,
} from './tokens.ts';

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
    /** Whether the token or the account with this id may still change the live composition. */
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

/** How long OPS_TOKEN stays valid after the last process with it was killed, in ms. */
const CONFIGURED_MS = 120_000;
/** Remaining validity below which it is renewed, in ms: about once a minute, however many processes have it. */
const RENEW_WITHIN_MS = 65_000;
/** Name of the first token; further ones of this kind add their id. */
const NAME = 'ops';
/** Creator of tokens that a start registers. */
const START = 'start';
/** Setting in which earlier versions stored the ops token itself. */
const EARLIER_SETTING = 'ops_token';

interface RegisterDeps {
  model: TokenModel;
  settings: SettingModel;
  config: Pick<Config, 'opsToken' | 'dataDir'>;
  /** Used for the generated ops token only, see `deriveKey`. */
  key: Buffer;
  /** Whether no other process uses the store. */
  isAlone: boolean;
  log: Pick<Logger, 'info' | 'warn'>;
  now(): Date;
}

/**
 * Makes the ops token of this process valid in every process on the store: OPS_TOKEN, otherwise the one in
 * DATA_DIR/ops-token (mode 600), where the command line finds it. Without either, all processes write the same
 * token there. It is derived from the server's secret, so that only its hash needs to be stored.
 */
export async function registerOpsToken(deps: RegisterDeps): Promise<void> {
  const { model, config, isAlone, now } = deps;
  // Only one process can use such a store, so the OPS_TOKEN of an earlier one is no longer configured.
  if (isAlone) await model.updateMany({ isConfigured: true }, { $set: { expiresAt: now() } });
  if (!config.opsToken) return provideTokenFile(deps);
  const found = await register(deps, config.opsToken, true);
  if (found.revokedAt) deps.log.warn({ token: found.name }, 'OPS_TOKEN is not valid, since it was revoked');
  await renewConfigured(deps);
}

type ConfiguredDeps = Pick<RegisterDeps, 'model' | 'config' | 'now'>;

/** Postpones the expiry of OPS_TOKEN; called by every process that has it, several times in CONFIGURED_MS. */
export function renewConfigured(deps: ConfiguredDeps): Promise<void> {
  return expireConfigured(deps, CONFIGURED_MS);
}

/** To be called when a process with OPS_TOKEN ends. Other processes that have it still accept and renew it. */
export function endConfigured(deps: ConfiguredDeps): Promise<void> {
  return expireConfigured(deps, 0);
}

async function expireConfigured({ model, config, now }: ConfiguredDeps, afterMs: number): Promise<void> {
  if (!config.opsToken) return;
  const inMs = (ms: number) => new Date(now().getTime() + ms);
  await model.updateOne(
    {
      hash: hashOf(config.opsToken),
      isConfigured: true,
      // Another process may just have renewed it.
      ...(afterMs > 0 ? { expiresAt: { $lt: inMs(RENEW_WITHIN_MS) } } : {}),
    },
    { $set: { expiresAt: inMs(afterMs) } },
  );
}

async function provideTokenFile(deps: RegisterDeps): Promise<void> {
  const { settings, config, log } = deps;
  const path = join(config.dataDir, 'ops-token');
  const earlier = await settings.findById(EARLIER_SETTING).lean();
  const written = (await readFile(path, 'utf8').catch(() => '')).trim();
  const token = earlier?.value ?? (await chooseToken(deps, written));
  if (token === null) {
    log.warn({ path }, 'this file contains no valid token, since operators have revoked the ops token');
    return;
  }
  await register(deps, token, false);
  if (token !== written) await writeForOwner(path, `${token}\n`);
  // Last: until then the next start finds it again if this one is killed.
  if (earlier) await settings.deleteOne({ _id: EARLIER_SETTING });
}

/** Returns the token for the file that contains `written`; null if operators have revoked it and have other `admin` tokens. */
async function chooseToken({ model, key, now }: RegisterDeps, written: string): Promise<string | null> {
  const find = (token: string) => model.findOne({ hash: hashOf(token) }).lean();
  const hasOthers = (await permanentAdmins(model, now())).length > 0;
  if (written) {
    const found = await find(written);
    const isFirst = !found && !(await model.exists({}));
    if (isFirst || (found && isUsable(found, now()))) return written;
    if (found && hasOthers) return null;
  }
  const isUnwanted = hasOthers && (await model.exists({ createdBy: START, revokedAt: { $ne: null } }));
  for (let number = 1; ; number++) {
    const token = `desk_${createHmac('sha256', key).update(String(number)).digest('hex')}`;
    const found = await find(token);
    if (found ? isUsable(found, now()) : !isUnwanted) return token;
    if (isUnwanted) return null;
  }
}

async function register({ model, now }: RegisterDeps, token: string, isConfigured: boolean) {
  let name = NAME;
  for (;;) {
    const found = await model.findOne({ hash: hashOf(token) }).lean();
    if (found) return found;
    const created = newToken({
      token,
      name,
      scopes: ['admin'],
      isConfigured,
      expiresAt: isConfigured ? new Date(now().getTime() + CONFIGURED_MS) : null,
      createdAt: now(),
      createdBy: START,
    });
    if (await unlessDuplicate(model.create(created))) return created;
    // Another process may have registered the same token meanwhile; otherwise the name is taken.
    const isRegistered = await model.exists({ hash: created.hash });
    if (!isRegistered && !(await freeName(model))) name = `${NAME}-${created._id}`;
  }
}

/** Renames the first token if it has never been used, so that the history is about one of that name only. */
async function freeName(model: TokenModel): Promise<boolean> {
  const unused = { name: NAME, createdBy: START, lastUsedAt: null };
  const found = await model.findOne(unused).lean();
  if (!found) return false;
  const done = await model.updateOne(
    { ...unused, _id: found._id },
    { $set: { name: `${NAME}-${found._id}` } },
  );
  return done.matchedCount === 1;
}

async function writeForOwner(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await using file = await open(path, 'w', 0o600);
  await file.chmod(0o600);
  await file.writeFile(text);
  await file.sync();
}
