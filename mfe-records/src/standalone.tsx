import { createStandInServices } from 'host/stand-ins';
import { openStandInPage } from 'host/stand-ins/page';
import * as contactsScreen from './contacts/contacts.tsx';
import * as historyScreen from './history/history.tsx';
import * as inboxScreen from './inbox/inbox.tsx';
import * as knowledgeScreen from './knowledge/knowledge.tsx';
import * as reportScreen from './report/report.tsx';
import { createContactServer } from './testing/contact-server.ts';
import { createInboxServer } from './testing/inbox-server.ts';
import { createKnowledgeServer } from './testing/knowledge-server.ts';
import { createRecordServer } from './testing/record-server.ts';
import { sampleInbox } from './testing/sample-handovers.ts';
import { sampleKnowledge } from './testing/sample-knowledge.ts';
import { sampleRecords } from './testing/sample-records.ts';
import { withStats } from './testing/stats-server.ts';

/** Runs this remote alone: its screens with generated data. `?count=0` has no records, `?reader` no permission to edit. */
const params = new URLSearchParams(location.search);
const count = Number(params.get('count') ?? 180);
const records = withStats(createContactServer(createRecordServer(sampleRecords(count, new Date()))).answer);
const knowledge = createKnowledgeServer(
  count > 0
    ? sampleKnowledge({ isEditor: !params.has('reader') })
    : { isEditor: true, guestsAsk: true, documents: [], passages: {}, pairs: [], unanswered: [] },
);

const inbox = createInboxServer(count > 0 ? sampleInbox() : [], { isEditor: !params.has('reader') });

const standIns = createStandInServices({
  username: 'anna',
  answers: (call) => inbox.answer(call) ?? knowledge.answer(call) ?? records(call),
});

openStandInPage({
  name: 'mfe-records',
  screens: {
    '/history': historyScreen,
    '/report': reportScreen,
    '/knowledge': knowledgeScreen,
    '/inbox': inboxScreen,
    '/contacts': contactsScreen,
  },
  standIns,
});
