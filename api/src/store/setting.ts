import type { Model } from 'mongoose';
import { defineModel } from './define-model.ts';
import { type DocumentOf, required } from './fields.ts';

const fields = {
  _id: required(String),
  value: required(String),
};

/** A value that the server has generated once, such as its secret. */
type SettingDocument = DocumentOf<typeof fields>;

export const settingModel = defineModel<SettingDocument>('Setting', 'settings', fields);

export type SettingModel = Model<SettingDocument>;
