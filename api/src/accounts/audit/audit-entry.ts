import type { AuditArea, AuditEvent } from '../../contract/audit.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, list, nullable, required, withDefault } from '../../store/fields.ts';

/** Parties are `user:<id>`, `guest:<id>`, `token:<name>` or `thing:<ids>`. */
const fields = {
  /** Its number. Processes that write at the same time compete for it, so that none is missing or used twice. */
  _id: required(Number),
  at: required(Date),
  event: required<AuditEvent>(String),
  /** Derived from `event`, for the index. */
  area: required<AuditArea>(String),
  call: nullable(String),
  by: nullable(String),
  subject: nullable(String),
  /** `by` and `subject`, as far as they are accounts, for the index. */
  people: list(String),
  ip: nullable(String),
  /** The hash of the entry before it; '' for the first. */
  previous: withDefault(''),
  hash: required(String),
};

export type AuditDocument = DocumentOf<typeof fields>;

const { schema, create } = defineModel<AuditDocument>('AuditEntry', 'audit', fields);
schema.index({ at: 1 });
schema.index({ area: 1, _id: -1 });
schema.index({ people: 1, _id: -1 });

export const createAuditModel = create;
export type AuditModel = ReturnType<typeof create>;

/** An entry as a line of JSON, for copies elsewhere. */
export function auditLine({ previous: _previous, people: _people, ...shown }: AuditDocument): string {
  return `${JSON.stringify(shown)}\n`;
}
