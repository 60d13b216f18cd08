import { createStandInServices } from 'host/stand-ins';
import { openStandInPage } from 'host/stand-ins/page';
import * as chat from './chat.tsx';
import * as shared from './shared-conversation.tsx';
import { createStandInServer } from './testing/stand-in-server.ts';

/** Runs this remote alone, with a server in the page's memory. `?records=1000` makes the last conversation long. */
const records = Number(new URLSearchParams(location.search).get('records') ?? 30);

openStandInPage({
  name: 'mfe-chat',
  screens: { '/index': chat, '/shared': shared },
  standIns: createStandInServices({ answers: createStandInServer({ longConversation: records }) }),
});
