import { Schema } from 'mongoose';
import type { DeskSettings } from '../contract/settings.ts';
import { defineModel, modelsOf } from '../store/define-model.ts';
import { type DocumentOf, required } from '../store/fields.ts';

const revisionFields = {
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
export type DeskRevisionDocument = DocumentOf<typeof revisionFields>;

const logoFields = {
  /** Hash of its content. */
  _id: required(String),
  /** Media type, by its content. */
  type: required(String),
  bytes: required(Buffer),
  at: required(Date),
};

/** A logo that an administrator has uploaded. Small enough for a document, so that it needs no file storage. */
export type DeskLogoDocument = DocumentOf<typeof logoFields>;

export type SettingsModels = ReturnType<typeof createSettingsModels>;
export const createSettingsModels = modelsOf({
  deskRevisions: defineModel<DeskRevisionDocument>('DeskRevision', 'desk_revisions', revisionFields),
  deskLogos: defineModel<DeskLogoDocument>('DeskLogo', 'desk_logos', logoFields),
});
