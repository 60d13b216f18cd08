import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { databaseNow } from './database-clock.ts';
import { field, type Part, part } from './fields.ts';
import { errorCode } from './store-failure.ts';

export type ThisProcess = ReturnType<typeof createThisProcess>;

/** Validity of a lease after its last renewal, in ms. */
export const leaseMs = 15_000;

/** Servers running in this process: a pid alone would not distinguish them from a reused pid. */
const running = new Set<string>();

/** This server; an operating system process can run two. `now` is what leases are compared with. */
export function createThisProcess(now = databaseNow) {
  const id = randomUUID();
  running.add(id);
  return { process: id, host: hostName(), pid: process.pid, now, end: () => void running.delete(id) };
}

export function newLease(self: ThisProcess): Lease {
  return { process: self.process, host: self.host, pid: self.pid, until: new Date(self.now() + leaseMs) };
}

/** Whether the process that holds `lease` has certainly ended. */
export function isDead(lease: Lease | null, self: ThisProcess): boolean {
  if (!lease || lease.until.getTime() < self.now()) return true;
  if (lease.host !== self.host) return false;
  if (lease.pid === self.pid) return !running.has(lease.process);
  return !isAlive(lease.pid);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return errorCode(cause) === 'EPERM';
  }
}

/** Pids are only meaningful within one boot of one host or container. */
function hostName(): string {
  try {
    return `${hostname()}/${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}`;
  } catch {
    return hostname();
  }
}

export const leaseSchema = part({
  /** Unique to one start of one process. */
  process: field(String),
  host: field(String),
  pid: field(Number),
  until: field(Date),
});
/** The process that works on a document. It renews `until`; after that time, the work counts as interrupted. */
export type Lease = Part<typeof leaseSchema>;
