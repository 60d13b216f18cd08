import { type Connection, type Model, Schema } from 'mongoose';

/**
 * In how many passages of a scope a term stands. A scope is an edition of the handbook or a counting of what is shared otherwise
 * (see shared-counts.ts); none holds a space. The empty term counts all passages of the scope. Private passages are not counted.
 */
export interface TermCount {
  /** `<scope> <term>`: one look-up by primary key a term, and neighbours in the alphabet by a range. */
  _id: string;
  passages: number;
  /** Of the rows beginning with `!` that keep the counts of shared documents right, see shared-counts.ts. */
  version?: number;
  until?: Date;
}

const schema = new Schema<TermCount>(
  {
    _id: { type: String, required: true },
    passages: { type: Number, required: true },
    version: Number,
    until: Date,
  },
  { collection: 'term_counts', versionKey: false, autoIndex: false, autoCreate: false },
);

export type TermCountModel = Model<TermCount>;

export function createTermCountModel(connection: Connection): TermCountModel {
  return connection.model<TermCount>('TermCount', schema);
}

export function termCountId(scope: string, term: string): string {
  return `${scope} ${term}`;
}
