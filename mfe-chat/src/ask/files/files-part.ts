import { FileDrop } from './file-drop.tsx';
import { FileTray } from './file-tray.tsx';
import { FilesProgress, MessageFiles, Pictures } from './message-files.tsx';

/** Everything for attached files, loaded as one chunk after the screen. */
export const filesPart = { FileDrop, FileTray, FilesProgress, MessageFiles, Pictures };
