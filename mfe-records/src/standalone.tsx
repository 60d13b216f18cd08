import 'host/theme.css';
import type { Screen } from 'host/contract';
import { createRoot } from 'react-dom/client';
import { Route, Routes } from 'react-router';
import { BrowserRouter, Link } from 'react-router-dom';
import HistoryScreen from './history.tsx';
import ReportScreen from './report.tsx';
import { serveRecords } from './testing/record-server.ts';
import { sampleRecords } from './testing/sample-records.ts';
import { StandInControls } from './testing/stand-in-controls.tsx';
import { createStandInServices } from './testing/stand-in-services.ts';
import { useStream } from './use-stream.ts';

/** This remote as a page of its own: its screens over records that are made up here. `?count=0` empties them. */
const count = Number(new URLSearchParams(location.search).get('count') ?? 180);

const { services } = createStandInServices({
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

function Alone() {
  const language = useStream(services.i18n.language$);
  const theme = useStream(services.theme.choice$);
  document.documentElement.dataset.theme = theme;
  const show = (Shown: Screen) => (
    <Shown services={services} language={language} controls={<StandInControls services={services} />} />
  );
  return (
    <BrowserRouter>
      <Routes>
        <Route path="/history" element={show(HistoryScreen)} />
        <Route path="/report" element={show(ReportScreen)} />
        <Route path="*" element={<Contents />} />
      </Routes>
    </BrowserRouter>
  );
}

function Contents() {
  return (
    <main className="blank">
      <h1>mfe-records</h1>
      {['/history', '/report'].map((path) => (
        <Link key={path} to={path}>
          {path}
        </Link>
      ))}
    </main>
  );
}

createRoot(document.getElementById('root')!).render(<Alone />);
