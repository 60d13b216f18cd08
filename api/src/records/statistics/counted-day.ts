import { hash } from 'node:crypto';
import { Schema } from 'mongoose';
import { AnswerSource, Outcome } from '../../contract/answers.ts';
import { FeedbackFilter } from '../../contract/search.ts';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, required } from '../../store/fields.ts';
import type { countedFields, RecordDocument } from '../record.ts';
import { answererOf, finalOutcomeOf, ratingOf } from '../search/record-terms.ts';

const fields = {
  owner: required(String),
  /** YYYY-MM-DD, of UTC. */
  day: required(String),
  /** See `packEntries`. */
  entries: required(Buffer),
  /** Another one after each write. */
  revision: required(Schema.Types.ObjectId),
  checkedAt: required(Date),
};

/** What statistics count of the records that an owner has of one day. */
export type CountedDay = DocumentOf<typeof fields>;

export const countedDayModel = defineModel<CountedDay>('CountedDay', 'counted_days', fields);
countedDayModel.schema.index({ owner: 1, day: 1 }, { unique: true });
countedDayModel.schema.index({ checkedAt: 1 });

/** The fields of a record that are counted. */
export type CountedRecord = Pick<RecordDocument, (typeof countedFields)[number]>;

const answerers = [...AnswerSource.options, 'person'] as const;

/** What answers are counted by, in every combination. */
export const kinds = answerers.flatMap((answerer) =>
  Outcome.options.flatMap((outcome) =>
    FeedbackFilter.options.map((rating) => ({ answerer, outcome, rating })),
  ),
);

/** Index in `kinds`. */
export function kindOf(record: CountedRecord): number {
  const answerer = answerers.indexOf(answererOf(record));
  const outcome = Outcome.options.indexOf(finalOutcomeOf(record));
  const rating = FeedbackFilter.options.indexOf(ratingOf(record));
  return (answerer * Outcome.options.length + outcome) * FeedbackFilter.options.length + rating;
}

/** Time of the desk's answer in ms; null if there is none. */
export function durationOf({ createdAt, answerStartedAt, answeredAt, source }: CountedRecord): number | null {
  if (!answeredAt || source === 'none') return null;
  return Math.max(0, answeredAt.getTime() - (answerStartedAt ?? createdAt).getTime());
}

/** 48 bits that stand for the id of a contact; 0 is the owner. */
export function contactKey(id: string): number {
  return id === '' ? 0 : hash('sha1', id, 'buffer').readUIntBE(0, 6);
}

export const quarterMs = 900_000;
export const quartersOfDay = 96;
const noDuration = 0xffff_ffff;
/** Quarter of an hour of the day and kind, 1 byte each; contact, 6 bytes; duration in ms, 4 bytes. */
const entrySize = 12;

/** An entry for each record of a day, by contact. In every time zone, days start at a quarter of an hour. */
export function packEntries(records: readonly CountedRecord[]): Buffer {
  const packed = Buffer.alloc(records.length * entrySize);
  records
    .map((record) => ({ record, contact: contactKey(record.contact?.id ?? '') }))
    .sort((one, other) => one.contact - other.contact)
    .forEach(({ record, contact }, at) => {
      const start = at * entrySize;
      const duration = durationOf(record);
      packed.writeUInt8(quarterOf(record.createdAt), start);
      packed.writeUInt8(kindOf(record), start + 1);
      packed.writeUIntLE(contact, start + 2, 6);
      packed.writeUInt32LE(duration === null ? noDuration : Math.min(duration, noDuration - 1), start + 8);
    });
  return packed;
}

/** Also before 1970. */
function quarterOf(instant: Date): number {
  return ((Math.floor(instant.getTime() / quarterMs) % quartersOfDay) + quartersOfDay) % quartersOfDay;
}

export function readEntries(
  entries: Buffer,
  each: (quarter: number, kind: number, contact: number, duration: number | null) => void,
): void {
  const view = new DataView(entries.buffer, entries.byteOffset, entries.byteLength);
  for (let at = 0; at < view.byteLength; at += entrySize) {
    const contact = view.getUint32(at + 2, true) + view.getUint16(at + 6, true) * 2 ** 32;
    const duration = view.getUint32(at + 8, true);
    each(view.getUint8(at), view.getUint8(at + 1), contact, duration === noDuration ? null : duration);
  }
}
