import type { Command } from './request.ts';

const VERSION = '7.0.0';

/** The properties of a standalone MongoDB 7.0 with sessions and without transactions. */
const HELLO = {
  maxBsonObjectSize: 16 * 1024 * 1024,
  maxMessageSizeBytes: 48_000_000,
  maxWriteBatchSize: 100_000,
  logicalSessionTimeoutMinutes: 30,
  minWireVersion: 0,
  maxWireVersion: 21,
  readOnly: false,
};

/** Drivers send fields of their own with it (client, compression, topologyVersion), which are ignored. */
export const hello: Command = {
  fields: 'any',
  run: () => ({ helloOk: true, isWritablePrimary: true, ...HELLO, localTime: new Date(), ok: 1 }),
};

/** The older name of `hello`. */
export const isMaster: Command = {
  fields: 'any',
  unstable: true,
  run: () => ({ helloOk: true, ismaster: true, ...HELLO, localTime: new Date(), ok: 1 }),
};

export const ping: Command = { run: () => ({ ok: 1 }) };

export const buildInfo: Command = {
  unstable: true,
  run: () => ({ version: VERSION, versionArray: [7, 0, 0, 0], gitVersion: 'embedded', modules: [], ok: 1 }),
};

/** Also refreshSessions. Sessions have no state here, so ending and refreshing them does nothing. */
export const endSessions: Command = { run: () => ({ ok: 1 }) };
