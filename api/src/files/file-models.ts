import type { Connection } from 'mongoose';
import { createBlobModel } from './blob.ts';
import { createUploadModel } from './upload.ts';

export type FileModels = ReturnType<typeof createFileModels>;

export function createFileModels(connection: Connection) {
  return { uploads: createUploadModel(connection), blobs: createBlobModel(connection) };
}
