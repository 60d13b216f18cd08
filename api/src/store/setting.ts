import { type Connection, type Model, Schema } from 'mongoose';

/** A value that the server has generated once, such as its secret. */
export interface SettingDocument {
  _id: string;
  value: string;
}

const schema = new Schema<SettingDocument>(
  { _id: { type: String, required: true }, value: { type: String, required: true } },
  { collection: 'settings', versionKey: false, autoIndex: false, autoCreate: false },
);

export type SettingModel = Model<SettingDocument>;

export function createSettingModel(connection: Connection): SettingModel {
  return connection.model<SettingDocument>('Setting', schema);
}
