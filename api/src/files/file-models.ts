import type { Connection } from 'mongoose';
import { type BlobModel, createBlobModel } from './blob.ts';
import { createUploadModel, type UploadModel } from './upload.ts';

/** The collections of files on one connection. */
export interface FileModels {
  uploads: UploadModel;
  blobs: BlobModel;
}

export function createFileModels(connection: Connection): FileModels {
  return { uploads: createUploadModel(connection), blobs: createBlobModel(connection) };
}
