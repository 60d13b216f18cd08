import { FileDrop } from './file-drop.tsx';
import { FileTray } from './file-tray.tsx';
import { FilesProgress } from './files-progress.tsx';
import { MessageFiles } from './message-files.tsx';
import { Pictures } from './picture-grid.tsx';

/** All that has to do with files, fetched in one piece once the desk stands. */
export const filesPart = { FileDrop, FileTray, FilesProgress, MessageFiles, Pictures };
