import type { Model } from 'mongoose';
import { defineModel } from './define-model.ts';
import { type DocumentOf, required } from './fields.ts';
import { unlessDuplicate } from './store-failure.ts';

const fields = { _id: required(String), value: required(String) };

/** A value that the server has generated once, such as its secret. */
type SettingDocument = DocumentOf<typeof fields>;

export const settingModel = defineModel<SettingDocument>('Setting', 'settings', fields);

export type SettingModel = Model<SettingDocument>;

/** Runs an upgrade unless it was done: `version` is stored once `upgrade` returns true. */
export async function upgradeOnce(
  settings: SettingModel,
  _id: string,
  version: string,
  upgrade: () => Promise<boolean>,
): Promise<void> {
  if ((await settings.findById(_id).lean())?.value === version || !(await upgrade())) return;
  // false: another process has just stored it.
  await unlessDuplicate(settings.updateOne({ _id }, { $set: { value: version } }, { upsert: true }));
}
