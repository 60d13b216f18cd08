import type { Reply, Request } from './request.ts';

const VERSION = '7.0.0';

/** The properties of a standalone MongoDB 7.0 with sessions and without transactions. */
export const HELLO = {
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
};

/** `hello` and its older names. Drivers send fields of their own with it (client, compression, topologyVersion), which are ignored. */
export function hello({ name }: Request): Reply {
  const primary = name === 'hello' ? { isWritablePrimary: true } : { ismaster: true };
  return { helloOk: true, ...primary, ...HELLO, localTime: new Date(), ok: 1 };
}

export function ping(): Reply {
  return { ok: 1 };
}

export function buildInfo(): Reply {
  return { version: VERSION, versionArray: [7, 0, 0, 0], gitVersion: 'embedded', modules: [], ok: 1 };
}

/** Sessions have no state here, so ending and refreshing them does nothing. */
export function endSessions(): Reply {
  return { ok: 1 };
}
