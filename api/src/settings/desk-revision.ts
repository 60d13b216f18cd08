import { Schema, type Types } from 'mongoose';
import type { DeskSettings } from '../contract/settings.ts';
import { defineModel } from '../store/define-model.ts';

/**
 * A revision of the settings. The id is its number: of two concurrent changes of the same revision, the unique id refuses the second, and the
 * latest revision is the one with the largest id.
 */
export interface DeskRevisionDocument {
  _id: number;
  settings: Partial<DeskSettings>;
  at: Date;
  /** The account that saved it. */
  by: Types.ObjectId;
}

const { create } = defineModel<DeskRevisionDocument>('DeskRevision', 'desk_revisions', {
  _id: { type: Number, required: true },
  settings: { type: Schema.Types.Mixed, required: true },
  at: { type: Date, required: true },
  by: { type: Schema.Types.ObjectId, required: true },
});

export const createDeskRevisionModel = create;
