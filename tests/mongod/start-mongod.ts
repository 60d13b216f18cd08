import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { freePort } from '../start-desk.ts';
import { startProxy, type TcpProxy } from '../start-proxy.ts';

export interface RunningMongod {
  /** Connection string without a database. */
  uri: string;
  /** Path of its log, which `end` removes. */
  logFile: string;
  /** 127.0.0.1 with its port. */
  host: string;
  /** Sends SIGSTOP or SIGCONT. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
  /** SIGKILL; the data stays for `restart`. */
  kill(): Promise<void>;
  /** Starts it again on the same data and port after `kill`. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  end(): Promise<void>;
}

export interface MongodOptions {
  /** Path of the binary, see find-mongod.ts. */
  binary: string;
  /**
   * A replica set with one member, like the minimum in production; false is a standalone server. Default
   * true.
   */
  isReplicaSet?: boolean;
  /** False for a member of a set that `startReplicaSet` initiates. Default true. */
  isAlone?: boolean;
  /** Logs every operation with its plan, see query-plans.ts. */
  logsQueries?: boolean | undefined;
  /** Parent of its data folder. Default: the system's temporary folder. */
  parent?: string;
}

/**
 * Every collection and index is a file. Hundreds of databases, each for one test file, would exceed the limit of open files, at which mongod
 * aborts: dropped ones are deleted at once instead of after five minutes, and unused ones closed.
 */
const fewOpenFiles = [
  '--setParameter',
  'minSnapshotHistoryWindowInSeconds=0',
  '--wiredTigerEngineConfigString',
  'file_manager=(close_handle_minimum=250,close_idle_time=10,close_scan_interval=5)',
];

/** Starts a mongod on a free loopback port with a new data folder, and resolves once it accepts writes. */
export async function startMongod({
  binary,
  isReplicaSet = true,
  isAlone = true,
  logsQueries = false,
  parent = os.tmpdir(),
}: MongodOptions): Promise<RunningMongod> {
  const folder = mkdtempSync(path.join(parent, 'desk-mongod-'));
  const logFile = path.join(folder, 'mongod.log');
  const port = await freePort();
  const direct = `mongodb://127.0.0.1:${port}/?directConnection=true`;
  let child: ChildProcess;
  let exit: Promise<unknown>;

  const start = async () => {
    const args = [
      '--dbpath',
      folder,
      '--port',
      String(port),
      '--bind_ip',
      '127.0.0.1',
      '--quiet',
      '--wiredTigerCacheSizeGB',
      '1',
      ...fewOpenFiles,
      '--logpath',
      logFile,
      '--logappend',
      ...(isReplicaSet ? ['--replSet', 'tests'] : []),
      ...(logsQueries ? ['--slowms', '-1'] : []),
    ];
    child = spawn(binary, args, { stdio: 'ignore' });
    exit = new Promise((resolve) => child.once('exit', resolve));
  };
  process.once('exit', () => child?.kill('SIGKILL'));
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await exit;
  };
  const end = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  };

  try {
    await start();
    await answers(direct, () => child.exitCode);
    if (isReplicaSet && isAlone) await initiate(direct, [`127.0.0.1:${port}`]);
  } catch (cause) {
    await end();
    throw cause;
  }
  return {
    uri: isReplicaSet ? `mongodb://127.0.0.1:${port}/?replicaSet=tests` : direct,
    logFile,
    host: `127.0.0.1:${port}`,
    signal: (name) => void child.kill(name),
    kill: stop,
    async restart() {
      await start();
      await answers(direct, () => child.exitCode);
      if (isAlone) await isPrimary(direct);
    },
    end,
  };
}

async function answers(uri: string, exitCode: () => number | null): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    if (exitCode() !== null) throw new Error(`mongod ended with ${exitCode()}`);
    const isThere = await command(uri, { ping: 1 }).then(
      () => true,
      () => false,
    );
    if (isThere) return;
    if (Date.now() > deadline) throw new Error('mongod did not answer within 60 s');
  }
}

/** A member of a replica set. Everything sent to it, also by the other members, passes through `link`. */
export interface Member extends RunningMongod {
  link: TcpProxy;
}

/** A replica set with three members, with its connection string. */
export async function startReplicaSet(options: MongodOptions) {
  const members: Member[] = await Promise.all(
    [1, 2, 3].map(async () => {
      const member = await startMongod({ ...options, isAlone: false });
      return { ...member, link: await startProxy(`http://${member.host}`) };
    }),
  );
  const hosts = members.map(({ link }) => link.host);
  const uri = `mongodb://${hosts.join()}/?replicaSet=tests`;
  await initiate(`mongodb://${members[0]!.host}/?directConnection=true`, hosts);
  const primary = async () => {
    const { primary } = await command(uri, { hello: 1 });
    return members.find(({ link }) => link.host === primary)!;
  };
  return {
    uri,
    members,
    /** The member that is primary now. */
    primary,
    /** A member that is secondary now. */
    async secondary(): Promise<Member> {
      const first = await primary();
      return members.find((member) => member !== first)!;
    },
    /** Makes the primary step down for 10 s. */
    stepDown: () => command(uri, { replSetStepDown: 10 }),
    async end(): Promise<void> {
      for (const member of members) member.signal('SIGCONT');
      await Promise.all(members.flatMap((member) => [member.end(), member.link.close()]));
    },
  };
}

async function initiate(uri: string, hosts: readonly string[]): Promise<void> {
  const members = hosts.map((host, _id) => ({ _id, host }));
  await command(uri, { replSetInitiate: { _id: 'tests', members } });
  await isPrimary(uri);
}

async function isPrimary(uri: string): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    const { isWritablePrimary } = await command(uri, { hello: 1 });
    if (isWritablePrimary) return;
    if (Date.now() > deadline) throw new Error('mongod did not become primary within 60 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function command(uri: string, command: object) {
  const client = new mongoose.mongo.MongoClient(uri, { serverSelectionTimeoutMS: 500 });
  try {
    return await client.db('admin').command(command as mongoose.mongo.Document);
  } finally {
    await client.close();
  }
}
