import { Schema } from 'mongoose';
import type { DeskSettings } from '../contract/settings.ts';
import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, required } from '../store/fields.ts';

const fields = {
  _id: required(Number),
  settings: required<Partial<DeskSettings>>(Schema.Types.Mixed),
  at: required(Date),
  /** The account that saved it. */
  by: required(Schema.Types.ObjectId),
};

/**
 * A revision of the settings. The id is its number: of two concurrent changes of the same revision, the unique id refuses the second, and the
 * latest revision is the one with the largest id.
 */
export type DeskRevisionDocument = DocumentOf<typeof fields>;

const { create } = defineModel<DeskRevisionDocument>('DeskRevision', 'desk_revisions', fields);

export const createDeskRevisionModel = create;
