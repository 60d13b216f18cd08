import { type Connection, type Model, Schema } from 'mongoose';
import { modelIn } from './environment.ts';
import { type PointerMove, promotedFromSchema } from './pointer.ts';

/** One move of the pointer. Immutable; together they are the history of what was live. */
export interface Move extends PointerMove {
  /** Revision of the pointer after the move. */
  _id: number;
  at: Date;
  /** The live composition after the move. */
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
    promotedFrom: { type: promotedFromSchema, default: undefined },
    token: String,
    approvedBy: String,
    change: String,
  },
  { collection: 'moves', versionKey: false, autoIndex: false, autoCreate: false },
);

/** Model of the environment's moves on this connection. */
export function moveModel(connection: Connection, environment: string): Model<Move> {
  return modelIn(connection, environment, 'Move', moveSchema);
}
