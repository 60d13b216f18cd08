import { ContactChip } from './contact-chip.tsx';
import { createDesk } from './desk.ts';
import { DeskLife } from './desk-life.tsx';
import { MessageList } from './message-list.tsx';
import { ModelSelect } from './model-select.tsx';
import { SideBody } from './side-body.tsx';
import { Title } from './title.tsx';
import { WORDS } from './words.ts';

/** All that the frame fetches in one piece, once the textarea stands. */
export const fullDesk = {
  createDesk,
  WORDS,
  DeskLife,
  ContactChip,
  MessageList,
  ModelSelect,
  SideBody,
  Title,
};
