import { act, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { Conversation, DeskRecord } from 'api/contract/records';
import type { PageDesk } from 'api/contract/settings';
import type { Language } from 'host/contract';
import { MemoryRouter } from 'react-router';
import { useLocation } from 'react-router-dom';
import { filesPart } from '../ask/files/files-part-module.tsx';
import { PictureDialog } from '../ask/files/message-files.tsx';
import ChatScreen, { deferredPartsModule } from '../chat.tsx';
import { AnswerReasonDialog } from '../conversation/bot-message.tsx';
import { markdown } from '../conversation/markdown-text.tsx';
import { handoverThreads } from '../conversation/message-list.tsx';
import { noteCard } from '../conversation/thumbs.tsx';
import { questionEditor } from '../conversation/user-message.tsx';
import { AskPersonDialog } from '../people/ask-person-button.tsx';
import { ContactPicker } from '../people/contact-chip.tsx';
import { ShortcutsDialog } from '../shortcuts/shortcuts-button.tsx';
import { ConversationMenu, PrintedConversation, ShareDialog } from '../sidebar/conversation-row.tsx';
import { archivedConversations, searchResults } from '../sidebar/side-body.tsx';
import { citedSource } from '../sources/source-view.tsx';
import './jsdom-gaps.ts';
import { type Answer, type Call, createStandInServices, failure } from 'host/stand-ins';
import { createEventSource, type EventSourceEnd } from './event-source.ts';
import { pageOf } from './samples.ts';

export interface Setting {
  path?: string;
  language?: Language;
  desk?: PageDesk;
  username?: string;
  token?: string;
  kept?: Map<string, string>;
  conversations?: Conversation[];
  /** The records of every conversation, newest first. */
  records?: DeskRecord[];
  /** Answers by method and path, such as 'POST /api/chat', which replace the default ones. */
  answers?: Record<string, Answer>;
}

/** The whole screen over a fake server whose streams the test controls. */
export async function openChat(setting: Setting = {}) {
  const streams: EventSourceEnd[] = [];
  const stream = () => {
    const end = createEventSource();
    streams.push(end);
    return end.stream;
  };
  const answer: Answer = (call) => {
    const own = setting.answers?.[`${call.method} ${call.url}`];
    if (own) return own(call);
    if (call.url === '/api/conversations')
      return { conversations: setting.conversations ?? [], nextCursor: null };
    if (call.url.endsWith('/records')) return pageOf('records', setting.records ?? [], call.params);
    if (call.url.endsWith('/handovers')) return { handovers: [] };
    if (/^\/api\/chat(\/[^/]+(\/retry)?)?$/.test(call.url)) return stream();
    if (call.url.endsWith('/stop')) return {};
    throw failure(404, 'not_found', `nothing answers ${call.method} ${call.url}`);
  };
  const standIns = createStandInServices({ ...setting, answers: answer });
  // Loads the `import()` chunks in advance, which take a while in tests.
  await Promise.all(
    [
      deferredPartsModule,
      markdown,
      filesPart,
      AskPersonDialog.part,
      handoverThreads,
      PictureDialog.part,
      AnswerReasonDialog.part,
      citedSource,
      ConversationMenu.part,
      ShareDialog.part,
      PrintedConversation.part,
      archivedConversations,
      ContactPicker.part,
      searchResults,
      noteCard,
      questionEditor,
      ShortcutsDialog.part,
    ].map((part) => part.load()),
  );
  let address = '';
  const view = render(
    <MemoryRouter initialEntries={[setting.path ?? '/index']}>
      <ChatScreen
        services={standIns.services}
        language={setting.language ?? 'zh'}
        controls={<button type="button">EN</button>}
      />
      <Address
        follow={(now) => {
          address = now;
        }}
      />
    </MemoryRouter>,
  );
  await settle();
  return {
    ...standIns,
    ...view,
    streams,
    user: userEvent.setup({ applyAccept: false }),
    address: () => address,
  };
}

function Address({ follow }: { follow(address: string): void }) {
  const { pathname, search } = useLocation();
  follow(pathname + search);
  return null;
}

/** The text field of the composer. */
export const field = () => screen.getByPlaceholderText<HTMLTextAreaElement>('请输入问题');

/** All messages, questions and answers, oldest first. */
export const articles = () => screen.queryAllByRole('article');

/** The bodies of all POST /api/chat requests. */
export function sentQuestions(calls: readonly Call[]): { text: string; clientId: string }[] {
  return calls
    .filter(({ method, url }) => method === 'POST' && url === '/api/chat')
    .map(({ body }) => body as { text: string; clientId: string });
}

/** Waits for promises, streams and three animation frames, and for React to render. */
export async function settle(): Promise<void> {
  for (let frame = 0; frame < 3; frame += 1)
    await act(async () => {
      await new Promise(requestAnimationFrame);
      await new Promise((resolve) => setTimeout(resolve));
    });
}

/** Waits for a number of milliseconds, and for React to render. */
export async function pass(milliseconds: number): Promise<void> {
  await act(() => new Promise((resolve) => setTimeout(resolve, milliseconds)));
  await settle();
}
