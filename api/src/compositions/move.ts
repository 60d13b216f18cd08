import { type Connection, type Model, Schema } from 'mongoose';
import type { PointerMove } from './pointer.ts';

/** One move of the pointer. Written once, never changed: the history of what was live. */
export interface Move extends PointerMove {
  /** The pointer's revision after it. */
  _id: number;
  at: Date;
  /** Live after it. */
  composition: string;
}

const text = { type: String, required: true };
const textOrEmpty = { type: String, default: '' };
const textOrNull = { type: String, default: null };

const moveSchema = new Schema<Move>(
  {
    _id: { type: Number, required: true },
    at: { type: Date, required: true },
    kind: text,
    author: textOrEmpty,
    reason: textOrEmpty,
    composition: text,
    from: textOrNull,
    canary: textOrNull,
    share: { type: Number, default: null },
  },
  { collection: 'moves', versionKey: false, autoIndex: false, autoCreate: false },
);

/** The moves of this connection's database. */
export function moveModel(connection: Connection): Model<Move> {
  return (connection.models.Move as Model<Move>) ?? connection.model('Move', moveSchema);
}
