import { Tray } from './ask/files/files-part-module.tsx';
import { ModelSelect } from './ask/model-select.tsx';
import { Announcer, ChatEffects } from './chat-effects.tsx';
import { MessageList } from './conversation/message-list.tsx';
import { AskPersonButton } from './people/ask-person-button.tsx';
import { ContactChip } from './people/contact-chip.tsx';
import { RecipientSwitch } from './people/recipient-switch.tsx';
import { ShortcutsButton } from './shortcuts/shortcuts-button.tsx';
import { SideBody } from './sidebar/side-body.tsx';
import { SourceView } from './sources/source-view.tsx';
import { createChatState } from './state/chat-state.ts';
import { Title } from './title.tsx';

/** Everything the screen loads as one chunk after the textarea is rendered. */
export const deferredParts = {
  Announcer,
  AskPersonButton,
  createChatState,
  ChatEffects,
  ContactChip,
  MessageList,
  ModelSelect,
  RecipientSwitch,
  ShortcutsButton,
  SideBody,
  SourceView,
  Title,
  Tray,
};
