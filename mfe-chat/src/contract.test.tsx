import { testRemoteContract } from 'host/stand-ins/contract';
import desk from '../desk.json' with { type: 'json' };
import config from '../rspack.config.js?raw';
import ChatScreen, { deferredPartsModule } from './chat.tsx';
import SharedScreen from './shared-conversation.tsx';
import './testing/jsdom-gaps.ts';
import { needs } from './testing/needs.ts';
import { SHARED_TOKEN } from './testing/stand-in-samples.ts';
import { createStandInServer } from './testing/stand-in-server.ts';

testRemoteContract({
  config,
  routes: desk.routes,
  screens: { './chat': ChatScreen, './shared': SharedScreen },
  needs,
  // The default path shows a new question; this one shows a conversation with messages.
  alsoAt: [
    { module: './chat', path: '/index?c=c1', shows: /7 月 10 日申请了退款/ },
    { module: './shared', path: `/shared#${SHARED_TOKEN}`, shows: /只能阅读/ },
  ],
  answers: createStandInServer({ longConversation: 4 }),
  prepare: async () => void (await deferredPartsModule.load()),
});
