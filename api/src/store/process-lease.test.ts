import { expect, test } from '@jest/globals';
import { createThisProcess, isDead, leaseMs, newLease } from './process-lease.ts';

const [self, other] = [createThisProcess(), createThisProcess()];
const elsewhere = { ...newLease(other), host: 'another host', pid: 1 };

test('a new lease is valid for its whole time', () => {
  const before = Date.now();
  const { process, host, pid, until } = newLease(self);
  expect({ process, host, pid }).toEqual({ process: self.process, host: self.host, pid: self.pid });
  expect(until.getTime()).toBeGreaterThanOrEqual(before + leaseMs);
  expect(until.getTime()).toBeLessThanOrEqual(Date.now() + leaseMs);
});

test('a lease that has expired is dead, wherever its process is; no lease is dead', () => {
  const expired = new Date(Date.now() - 1);
  expect(isDead({ ...elsewhere, until: expired }, self)).toBe(true);
  expect(isDead({ ...newLease(self), until: expired }, self)).toBe(true);
  expect(isDead(null, self)).toBe(true);
});

test('a process on another host is alive until its lease expires, even if no such process runs here', () => {
  expect(isDead({ ...elsewhere, pid: 2 ** 22 + 1 }, self)).toBe(false);
});

test('a process on this host is alive as long as it runs', () => {
  expect(isDead({ ...newLease(self), pid: process.ppid }, self)).toBe(false);
  // Larger than any pid.
  expect(isDead({ ...newLease(self), pid: 2 ** 22 + 1 }, self)).toBe(true);
});

test('a process of another user, to which no signal may be sent, is alive', () => {
  const { kill } = process;
  process.kill = () => {
    throw Object.assign(new Error('not permitted'), { code: 'EPERM' });
  };
  try {
    expect(isDead({ ...newLease(self), pid: process.ppid }, self)).toBe(false);
  } finally {
    process.kill = kill;
  }
});

test('another server in this process is alive until it ends; a reused pid does not make it alive', () => {
  const third = createThisProcess();
  const lease = newLease(third);
  expect(isDead(lease, self)).toBe(false);
  third.end();
  expect(isDead(lease, self)).toBe(true);
  expect(isDead({ ...newLease(self), process: 'of an earlier boot' }, self)).toBe(true);
});
