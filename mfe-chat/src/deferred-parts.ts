import { ChatEffects } from './chat-effects.tsx';
import { createChatState } from './chat-state.ts';
import { ModelSelect } from './composer/model-select.tsx';
import { ContactChip } from './contacts/contact-chip.tsx';
import { AskPersonButton } from './handover/ask-person-button.tsx';
import { RecipientSwitch } from './handover/recipient-switch.tsx';
import { Announcer } from './messages/announcer.tsx';
import { MessageList } from './messages/message-list.tsx';
import { TEXTS } from './shared/texts.ts';
import { Title } from './shared/title.tsx';
import { ShortcutsButton } from './shortcuts/shortcuts-button.tsx';
import { SideBody } from './sidebar/side-body.tsx';
import { SourceView } from './sources/source-view.tsx';

/** Everything the screen loads as one chunk after the textarea is rendered. */
export const deferredParts = {
  Announcer,
  AskPersonButton,
  createChatState,
  TEXTS,
  ChatEffects,
  ContactChip,
  MessageList,
  ModelSelect,
  RecipientSwitch,
  ShortcutsButton,
  SideBody,
  SourceView,
  Title,
};
