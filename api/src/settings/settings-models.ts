import type { Connection } from 'mongoose';
import { createDeskLogoModel, type DeskLogoModel } from './desk-logo.ts';
import { createDeskRevisionModel, type DeskRevisionModel } from './desk-revision.ts';

/** The collections of the settings on one connection. */
export interface SettingsModels {
  deskRevisions: DeskRevisionModel;
  deskLogos: DeskLogoModel;
}

export function createSettingsModels(connection: Connection): SettingsModels {
  return {
    deskRevisions: createDeskRevisionModel(connection),
    deskLogos: createDeskLogoModel(connection),
  };
}
