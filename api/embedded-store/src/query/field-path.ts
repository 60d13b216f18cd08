import { StoreError } from '../errors.ts';

/** @throws StoreError for an empty part, a leading `$` or a NUL. Source: src/mongo/db/pipeline/field_path.cpp */
export function fieldPath(path: string): string[] {
  if (path === '') throw new StoreError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw new StoreError(40353, "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  for (const part of parts) checkName(part);
  return parts;
}

/** A name without dots, as an accumulator or a field of an `_id` in `$group` has. */
export function fieldName(name: string): string {
  checkName(name);
  if (name.includes('.')) throw new StoreError(16412, "FieldPath field names may not contain '.'.");
  return name;
}

function checkName(name: string): void {
  if (name === '') throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
  if (name.startsWith('$')) throw new StoreError(16410, "FieldPath field names may not start with '$'.");
  if (name.includes('\0')) throw new StoreError(16411, 'FieldPath field names may not contain a NUL.');
}
