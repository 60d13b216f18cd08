import { createStandInServices } from 'host/stand-ins';
import { openStandInPage } from 'host/stand-ins/page';
import HistoryScreen from './history.tsx';
import ReportScreen from './report.tsx';
import { serveRecords } from './testing/record-server.ts';
import { sampleRecords } from './testing/sample-records.ts';

/** This remote as a page of its own: its screens over records that are made up here. `?count=0` empties them. */
const count = Number(new URLSearchParams(location.search).get('count') ?? 180);

const standIns = createStandInServices({
  username: 'anna',
  answers: {
    'GET /api/records': serveRecords(sampleRecords(count, new Date())),
    'GET /api/passages/p-1': () => ({
      title: '退款政策',
      text: '第四章 退款时限。对公转账的退款，自受理之日起 3 至 5 个工作日内汇至合同备案账户。',
      start: 93,
      end: 140,
      place: '退款政策 › 4.2 节',
    }),
  },
});

openStandInPage({
  name: 'mfe-records',
  screens: { '/history': HistoryScreen, '/report': ReportScreen },
  standIns,
});
