import { type Connection, type Model, Schema } from 'mongoose';
import { modelIn } from './environment.ts';

/** A composition that is shown to whoever opens its link. Deleted once it has expired. */
export interface Preview {
  /** Part of its link: derived from `name`, or random. */
  _id: string;
  /** Such as a branch: its link stays the same when it shows another composition. null for a single preview. */
  name: string | null;
  composition: string;
  author: string;
  /** Name of the token that made it; missing in those of earlier versions. */
  token?: string;
  expiresAt: Date;
}

const text = { type: String, required: true };
const previewSchema = new Schema<Preview>(
  {
    _id: text,
    name: { type: String, default: null },
    composition: text,
    author: text,
    token: { type: String },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'previews', versionKey: false, autoIndex: false, autoCreate: false },
);
previewSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

/** Model of the environment's previews on this connection. */
export function previewModel(connection: Connection, environment: string): Model<Preview> {
  return modelIn(connection, environment, 'Preview', previewSchema);
}
