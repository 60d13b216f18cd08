import { createStandInServices } from 'host/stand-ins';
import { openStandInPage } from 'host/stand-ins/page';
import HistoryScreen from './history/history.tsx';
import ReportScreen from './report/report.tsx';
import { createRecordDesk } from './testing/record-desk.ts';
import { sampleRecords } from './testing/sample-records.ts';
import { withStats } from './testing/stats-server.ts';

/** This remote as a page of its own: its screens over records that are made up here. `?count=0` empties them. */
const count = Number(new URLSearchParams(location.search).get('count') ?? 180);

const standIns = createStandInServices({
  username: 'anna',
  answers: withStats(createRecordDesk(sampleRecords(count, new Date())).answer),
});

openStandInPage({
  name: 'mfe-records',
  screens: { '/history': HistoryScreen, '/report': ReportScreen },
  standIns,
});
