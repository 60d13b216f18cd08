import { type Connection, type Model, Schema } from 'mongoose';

/** Says which composition is live. Moved by compare-and-set on `revision`, which grows by one with every move. */
export interface Pointer {
  _id: 'live';
  composition: string;
  /** What it named before; null at first. */
  previous: string | null;
  revision: number;
  movedAt: Date;
}

const pointerSchema = new Schema<Pointer>(
  {
    _id: { type: String, required: true },
    composition: { type: String, required: true },
    previous: { type: String, default: null },
    revision: { type: Number, required: true },
    movedAt: { type: Date, required: true },
  },
  { collection: 'pointers', versionKey: false },
);

/** The pointers of this connection's database. */
export function pointerModel(connection: Connection): Model<Pointer> {
  return (connection.models.Pointer as Model<Pointer>) ?? connection.model('Pointer', pointerSchema);
}
