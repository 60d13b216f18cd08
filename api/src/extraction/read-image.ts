import { unreadable } from './file-failure.ts';
import type { FileToRead, ReadFile } from './read-file-text.ts';
export function readImage(_: FileToRead): ReadFile {
  throw unreadable('damaged');
}
