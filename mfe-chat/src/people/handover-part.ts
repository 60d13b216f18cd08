import { AskPersonDialog } from './ask-person-dialog.tsx';
import { HandoverThreads } from './handover-threads.tsx';

export const handoverPart = { AskPersonDialog, HandoverThreads };
