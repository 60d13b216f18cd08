import type { Connection } from 'mongoose';
import { createDeskLogoModel } from './desk-logo.ts';
import { createDeskRevisionModel } from './desk-revision.ts';

export type SettingsModels = ReturnType<typeof createSettingsModels>;

export function createSettingsModels(connection: Connection) {
  return {
    deskRevisions: createDeskRevisionModel(connection),
    deskLogos: createDeskLogoModel(connection),
  };
}
