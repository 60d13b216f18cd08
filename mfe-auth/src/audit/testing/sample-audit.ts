import type { AuditCheck, AuditEntry, AuditPage } from 'api/contract/audit';

const hash = 'c0ffee'.padEnd(64, '0');

const entry = (number: number, more: Partial<AuditEntry>): AuditEntry => ({
  number,
  at: `2026-11-19T21:${10 + number}:00.000Z`,
  event: 'sign_in',
  call: 'POST /admin/login',
  by: { kind: 'user', id: '1', name: 'anna' },
  subject: { kind: 'user', id: '1', name: 'anna' },
  ip: '192.0.2.7',
  hash,
  ...more,
});

const entries = [
  entry(6, {
    event: 'audit_shortened',
    call: null,
    by: null,
    subject: { kind: 'thing', id: '0', name: null },
    ip: null,
  }),
  entry(5, {
    event: 'operation',
    call: 'POST /ops/pointer',
    by: { kind: 'token', id: 'deploys', name: null },
    subject: null,
  }),
  entry(4, {
    event: 'permission_changed',
    call: 'PATCH /api/people/:id',
    subject: { kind: 'user', id: '2', name: null },
  }),
  entry(3, {
    event: 'records_deleted',
    call: 'POST /api/delete_by_contact',
    by: { kind: 'guest', id: 'g', name: null },
    subject: null,
  }),
  entry(2, { event: 'sign_in_failed', by: null }),
  entry(1, {}),
];

/** Answers of a server with some entries of its audit log. */
export function sampleAudit() {
  return {
    'POST /api/audit/search': (): AuditPage => ({ entries, nextCursor: null, stream: null }),
    'POST /api/audit/verify': (): AuditCheck => ({ entries: 6, last: { number: 6, hash }, brokenAt: null }),
  };
}
