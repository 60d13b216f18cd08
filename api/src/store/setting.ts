import type { Model } from 'mongoose';
import { defineModel } from './define-model.ts';

/** A value that the server has generated once, such as its secret. */
interface SettingDocument {
  _id: string;
  value: string;
}

const { create } = defineModel<SettingDocument>('Setting', 'settings', {
  _id: { type: String, required: true },
  value: { type: String, required: true },
});

export type SettingModel = Model<SettingDocument>;
export const createSettingModel = create;
