import { z } from 'zod';
import { Day, nextCursor, TimeZone } from './fields.ts';

/** What the audit log records, by the area in which it is searched. */
export const auditEvents = {
  sign_in: [
    'sign_up',
    'sign_in',
    'sign_in_failed',
    'identity_linked',
    'password_changed',
    'password_change_failed',
    'second_factor_on',
    'second_factor_off',
    'second_factor_failed',
    'recovery_codes_made',
    'recovery_code_used',
    'passkey_added',
    'passkey_removed',
    'passkey_failed',
    'sessions_ended',
    'ops_token_failed',
  ],
  rights: [
    'permission_changed',
    'account_disabled',
    'account_enabled',
    'account_deleted',
    'account_deletion_failed',
    'responsibilities_transferred',
    'password_link_created',
    'invitation_created',
  ],
  settings: ['settings_changed'],
  knowledge: ['knowledge_changed'],
  exports: ['export'],
  deletions: ['records_deleted', 'deletion_undone', 'records_purged', 'audit_shortened'],
  inbox: ['conversation_read'],
  operations: ['operate', 'operate_failed', 'operation'],
} as const;

export const AuditArea = z.enum(Object.keys(auditEvents) as [keyof typeof auditEvents]);
export type AuditArea = z.infer<typeof AuditArea>;

export type AuditEvent = (typeof auditEvents)[AuditArea][number];
export const AuditEvent = z.enum(Object.values(auditEvents).flat() as [AuditEvent]);

/** Somebody or something: `user` and `guest` by id, `token` of operations by name, `thing` by the ids in the path of the call. */
export const AuditParty = z.object({
  kind: z.enum(['user', 'guest', 'token', 'thing']),
  id: z.string(),
  /** Of an account that exists; otherwise null. */
  name: z.string().nullable(),
});
export type AuditParty = z.infer<typeof AuditParty>;

/** Who did what to whom or what, when and from where. It contains no text that anybody has typed. */
export const AuditEntry = z.object({
  /** Counted from 1 without gaps. */
  number: z.int(),
  /** ISO 8601. */
  at: z.string(),
  event: AuditEvent,
  /** Method and route, such as `DELETE /api/people/:id`; null: no request, but the desk itself. */
  call: z.string().nullable(),
  /** null: nobody that is known, or the desk itself. */
  by: AuditParty.nullable(),
  subject: AuditParty.nullable(),
  /** Address of the caller. */
  ip: z.string().nullable(),
  /** SHA-256 of this entry and the hash of the one before it, as hexadecimal digits. */
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

/** Which entries: of an area, by or about an account, of days (both inclusive) in `tz`. */
export const AuditFilter = z.strictObject({
  area: AuditArea.optional(),
  /** The complete user name. In the body, since proxies write queries down. */
  username: z.string().trim().min(1).max(64).optional(),
  from: Day.optional(),
  to: Day.optional(),
  tz: TimeZone.default('UTC'),
});
export type AuditFilter = z.infer<typeof AuditFilter>;

/** POST /api/audit/search: newest first. */
export const AuditSearch = AuditFilter.extend({
  limit: z.int().min(1).max(100).default(50),
  cursor: z.string().min(1).max(500).optional(),
});
export type AuditSearch = z.infer<typeof AuditSearch>;

/** How much of the log was sent to AUDIT_WEBHOOK_URL. */
export const AuditStreamState = z.object({
  /** When the receiver last accepted entries, ISO 8601; null: never yet. */
  sentAt: z.string().nullable(),
  /** Number of entries that are still to be sent. */
  waiting: z.int(),
  /** Time of the oldest of them. */
  waitingSince: z.string().nullable(),
  /** Why the last attempt failed; null: it did not. */
  failure: z.string().nullable(),
});
export type AuditStreamState = z.infer<typeof AuditStreamState>;

/** `stream` is null without AUDIT_WEBHOOK_URL. */
export const AuditPage = z.object({
  entries: z.array(AuditEntry),
  nextCursor,
  stream: AuditStreamState.nullable(),
});
export type AuditPage = z.infer<typeof AuditPage>;

/** POST /api/audit/verify: whether the log is complete and unchanged. */
export const AuditCheck = z.object({
  /** Number of entries that fit together. */
  entries: z.int(),
  /** The last of them; compare it with a copy elsewhere (log, AUDIT_FILE, CSV) to find out whether newer ones were removed. */
  last: z.object({ number: z.int(), hash: z.string() }).nullable(),
  /** Number of the first entry that was changed, or before which entries are missing; null: none. */
  brokenAt: z.int().nullable(),
});
export type AuditCheck = z.infer<typeof AuditCheck>;
