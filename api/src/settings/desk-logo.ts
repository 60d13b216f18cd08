import { defineModel } from '../store/define-model.ts';
import { type DocumentOf, required } from '../store/fields.ts';

const fields = {
  /** Hash of its content. */
  _id: required(String),
  /** Media type, by its content. */
  type: required(String),
  bytes: required(Buffer),
  at: required(Date),
};

/** A logo that an administrator has uploaded. Small enough for a document, so that it needs no file storage. */
export type DeskLogoDocument = DocumentOf<typeof fields>;

const { create } = defineModel<DeskLogoDocument>('DeskLogo', 'desk_logos', fields);

export const createDeskLogoModel = create;
