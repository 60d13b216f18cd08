import type { Types } from 'mongoose';
import type { UserModel } from '../accounts/account-models.ts';
import { createDeskSettings } from './desk-settings.ts';
import { createLogos } from './logos.ts';
import type { SettingsModels } from './settings-models.ts';

/** Opens the settings and reads them. Other domains read `settings.latest()`. */
export async function openSettings(models: SettingsModels & { users: UserModel }) {
  const settings = createDeskSettings(models, (ids) => namesOf(models.users, ids));
  await settings.refresh();
  return { settings, logos: createLogos(models) };
}

async function namesOf(users: UserModel, ids: readonly Types.ObjectId[]) {
  const found = await users.find({ _id: { $in: [...ids] }, deletedAt: null }, { username: 1 }).lean();
  return new Map(found.map(({ _id, username }) => [_id.toHexString(), username]));
}
