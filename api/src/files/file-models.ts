import { modelsOf } from '../store/define-model.ts';
import { blobModel } from './blobs.ts';
import { uploadModel } from './upload.ts';

export type FileModels = ReturnType<typeof createFileModels>;
export const createFileModels = modelsOf({ uploads: uploadModel, blobs: blobModel });
