import { testRemoteContract } from 'host/stand-ins/contract';
import desk from '../desk.json' with { type: 'json' };
import config from '../rspack.config.js?raw';
import ContactsScreen from './contacts/contacts.tsx';
import HistoryScreen from './history/history.tsx';
import InboxScreen from './inbox/inbox.tsx';
import KnowledgeScreen from './knowledge/knowledge.tsx';
import ReportScreen from './report/report.tsx';
import { createContactServer } from './testing/contact-server.ts';
import { createInboxServer } from './testing/inbox-server.ts';
import { createKnowledgeServer } from './testing/knowledge-server.ts';
import { layOut } from './testing/lay-out.ts';
import { needs } from './testing/needs.ts';
import { createRecordServer } from './testing/record-server.ts';
import { sampleInbox } from './testing/sample-handovers.ts';
import { sampleKnowledge } from './testing/sample-knowledge.ts';
import { sampleRecords } from './testing/sample-records.ts';
import { withStats } from './testing/stats-server.ts';

const records = withStats(
  createContactServer(createRecordServer(sampleRecords(12, new Date('2026-11-20T08:00:00Z')))).answer,
);
const knowledge = createKnowledgeServer(sampleKnowledge());
const inbox = createInboxServer(sampleInbox());

testRemoteContract({
  config,
  routes: desk.routes,
  screens: {
    './history': HistoryScreen,
    './report': ReportScreen,
    './knowledge': KnowledgeScreen,
    './inbox': InboxScreen,
    './contacts': ContactsScreen,
  },
  needs,
  answers: (call) => inbox.answer(call) ?? knowledge.answer(call) ?? records(call),
  alsoAt: [{ module: './inbox', path: '/inbox?h=h-2', shows: /请告诉我订单号/ }],
  prepare: () => layOut(),
});
