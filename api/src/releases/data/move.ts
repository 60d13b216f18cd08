import type { Connection, Model } from 'mongoose';
import { defineModel } from '../../store/define-model.ts';
import { type DocumentOf, required } from '../../store/fields.ts';
import { modelIn } from './environment.ts';
import { moveFields } from './pointer.ts';

const fields = {
  /** Revision of the pointer after the move. */
  _id: required(Number),
  at: required(Date),
  /** The live composition after the move. */
  composition: required(String),
  ...moveFields,
};

/** One move of the pointer. Immutable; together they are the history of what was live. */
export type Move = DocumentOf<typeof fields>;

const { schema } = defineModel<Move>('Move', 'moves', fields);

export function moveModel(connection: Connection, environment: string): Model<Move> {
  return modelIn(connection, environment, 'Move', schema);
}
