import type { Connection } from 'mongoose';
import { createSettingModel, type SettingModel } from '../store/setting.ts';
import { createGuestModel, type GuestModel } from './guest.ts';
import { createSessionModel, type SessionModel } from './session.ts';
import { createUsageModel, type UsageModel } from './usage.ts';
import { createUserModel, type UserModel } from './user.ts';

/** The collections of accounts on one connection. */
export interface AccountModels {
  users: UserModel;
  sessions: SessionModel;
  guests: GuestModel;
  usage: UsageModel;
  settings: SettingModel;
}

export function createAccountModels(connection: Connection): AccountModels {
  return {
    users: createUserModel(connection),
    sessions: createSessionModel(connection),
    guests: createGuestModel(connection),
    usage: createUsageModel(connection),
    settings: createSettingModel(connection),
  };
}
