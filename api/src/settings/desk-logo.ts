import { defineModel } from '../store/define-model.ts';

/** A logo that an administrator has uploaded. Small enough for a document, so that it needs no file storage. */
export interface DeskLogoDocument {
  /** Hash of its content. */
  _id: string;
  /** Media type, by its content. */
  type: string;
  bytes: Buffer;
  at: Date;
}

const { create } = defineModel<DeskLogoDocument>('DeskLogo', 'desk_logos', {
  _id: { type: String, required: true },
  type: { type: String, required: true },
  bytes: { type: Buffer, required: true },
  at: { type: Date, required: true },
});

export const createDeskLogoModel = create;
