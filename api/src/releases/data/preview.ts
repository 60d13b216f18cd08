import type { Connection, Model } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, nullable, optional, required } from '../../store/fields.ts';
import { modelIn } from './environment.ts';

const fields = {
  /** Part of its link: derived from `name`, or random. */
  _id: required(String),
  /** Such as a branch: its link stays the same when it shows another composition. null for a single preview. */
  name: nullable(String),
  composition: required(String),
  author: required(String),
  /** Name of the token that made it; missing in those of earlier versions. */
  token: optional(String),
  expiresAt: required(Date),
};

/** A composition that is shown to whoever opens its link. Deleted once it has expired. */
export type Preview = DocumentOf<typeof fields>;

const { schema: previewSchema } = defineModel<Preview>('Preview', 'previews', fields);
previewSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function previewModel(connection: Connection, environment: string): Model<Preview> {
  return modelIn(connection, environment, 'Preview', previewSchema);
}
