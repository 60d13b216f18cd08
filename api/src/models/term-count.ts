import { type Connection, type Model, Schema } from 'mongoose';

/**
 * In how many passages of a scope a term stands. A scope is an edition of the handbook, what is shared otherwise, or one owner's
 * private files; none holds a space. The empty term counts all passages of the scope.
 */
export interface TermCount {
  /** `<scope> <term>`: one look-up by primary key a term, and neighbours in the alphabet by a range. */
  _id: string;
  passages: number;
}

const schema = new Schema<TermCount>(
  { _id: { type: String, required: true }, passages: { type: Number, required: true } },
  { collection: 'term_counts', versionKey: false, autoIndex: false, autoCreate: false },
);

export type TermCountModel = Model<TermCount>;

export function createTermCountModel(connection: Connection): TermCountModel {
  return connection.model<TermCount>('TermCount', schema);
}

export function termCountId(scope: string, term: string): string {
  return `${scope} ${term}`;
}
