import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { makeInWorker } from '../../api/src/records/pdf/make-in-worker.ts';
import type { PartResult } from './figures.ts';
import { benchRecords } from './pdf-records.ts';
import { median } from './statistics.ts';

const SIZES = [500, 5000] as const;
const ROUNDS = 3;
const AIM = 1.3;

interface Round {
  ms: number;
  bytes: number;
  pages: number;
  mb: number;
}

const run = promisify(execFile);
const script = path.join(import.meta.dirname, 'pdf-round.ts');

/**
 * Reports of 500 and 5,000 records, compared with pdfkit with the same text and font, and how long other
 * requests are blocked meanwhile.
 */
export async function measurePdf(log: (line: string) => void): Promise<PartResult> {
  const figures: PartResult['figures'] = [];
  const details: string[] = [];
  for (const size of SIZES) {
    const rounds: Record<'jspdf' | 'pdfkit', Round[]> = { jspdf: [], pdfkit: [] };
    for (let round = 0; round < ROUNDS; round += 1)
      for (const library of ['jspdf', 'pdfkit'] as const) {
        log(`a PDF of ${size} records by ${library}`);
        const { stdout } = await run(process.execPath, [script, library, String(size)]);
        rounds[library].push(JSON.parse(stdout) as Round);
      }
    const ours = median(rounds.jspdf.map(({ ms }) => ms));
    const theirs = median(rounds.pdfkit.map(({ ms }) => ms));
    figures.push(
      { name: `${size} records`, value: ours, unit: 'ms' },
      { name: `${size} records, pdfkit`, value: theirs, unit: 'ms' },
      { name: `${size} records, time ÷ pdfkit`, value: ours / theirs, unit: '', aim: AIM },
      { name: `${size} records, size`, value: (rounds.jspdf[0]?.bytes ?? Number.NaN) / 1000, unit: 'KB' },
      {
        name: `${size} records, size, pdfkit`,
        value: (rounds.pdfkit[0]?.bytes ?? Number.NaN) / 1000,
        unit: 'KB',
      },
    );
    const [first, other] = [rounds.jspdf[0], rounds.pdfkit[0]];
    details.push(
      `${size} records: ${first?.pages} pages, ${first?.mb.toFixed(0)} MB of memory; pdfkit ${other?.pages} pages, ${other?.mb.toFixed(0)} MB`,
    );
  }
  log('a PDF of 5000 records in a worker thread');
  const { ms, stalled } = await inThread(5000);
  figures.push(
    { name: '5000 records in a worker thread, including its start', value: ms, unit: 'ms' },
    { name: 'longest blocking of the main thread', value: stalled, unit: 'ms', aim: 50 },
  );
  return {
    part: 'pdf',
    about: `the same records as a report and as plain paragraphs by pdfkit, same font, each in a fresh process, median of ${ROUNDS}`,
    figures,
    details,
  };
}

async function inThread(count: number): Promise<{ ms: number; stalled: number }> {
  const records = benchRecords(count);
  async function* slices() {
    for (let at = 0; at < records.length; at += 50)
      yield { records: records.slice(at, at + 50), pictures: new Map<string, Uint8Array>() };
  }
  const job = {
    language: 'zh',
    title: '',
    filter: {},
    tz: 'Asia/Shanghai',
    mask: false,
    madeAt: '2026-11-21T09:00:00.000Z',
  } as const;
  // CPU time of this thread only, since other load on the machine is not caused by the report.
  let stalled = 0;
  let before = process.threadCpuUsage();
  const timer = setInterval(() => {
    const { user, system } = process.threadCpuUsage(before);
    stalled = Math.max(stalled, (user + system) / 1000);
    before = process.threadCpuUsage();
  }, 1);
  const start = performance.now();
  await makeInWorker(job, slices(), new AbortController().signal);
  clearInterval(timer);
  return { ms: performance.now() - start, stalled };
}
