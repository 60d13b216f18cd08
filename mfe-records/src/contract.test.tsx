import { testRemoteContract } from 'host/stand-ins/contract';
import desk from '../desk.json' with { type: 'json' };
import config from '../rspack.config.js?raw';
import HistoryScreen from './history/history.tsx';
import KnowledgeScreen from './knowledge/knowledge.tsx';
import ReportScreen from './report/report.tsx';
import { createKnowledgeServer } from './testing/knowledge-server.ts';
import { layOut } from './testing/lay-out.ts';
import { needs } from './testing/needs.ts';
import { createRecordServer } from './testing/record-server.ts';
import { sampleKnowledge } from './testing/sample-knowledge.ts';
import { sampleRecords } from './testing/sample-records.ts';
import { withStats } from './testing/stats-server.ts';

const records = withStats(createRecordServer(sampleRecords(12, new Date('2026-11-20T08:00:00Z'))).answer);
const knowledge = createKnowledgeServer(sampleKnowledge());

testRemoteContract({
  config,
  routes: desk.routes,
  screens: { './history': HistoryScreen, './report': ReportScreen, './knowledge': KnowledgeScreen },
  needs,
  answers: (call) => knowledge.answer(call) ?? records(call),
  prepare: () => layOut(),
});
