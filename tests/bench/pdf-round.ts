/**
 * Creates one report with one library in a separate process: `node pdf-round.ts jspdf 500`. Prints `{ms,
 * bytes, pages, mb}`. Measured from when the records are in memory and the libraries are loaded.
 */
import { createReport } from '../../api/src/records/pdf/create-report.ts';
import { notoSansScPath, readNotoSansSc } from '../../api/src/records/pdf/font-file.ts';
import { benchRecords } from './pdf-records.ts';
import { writeWithPdfkit } from './pdf-with-pdfkit.ts';

const [library = '', count = ''] = process.argv.slice(2);
const records = benchRecords(Number(count));
const start = performance.now();
const made = library === 'pdfkit' ? await writeWithPdfkit(records, notoSansScPath()) : withJspdf();
const ms = performance.now() - start;
console.log(JSON.stringify({ ms, ...made, mb: process.resourceUsage().maxRSS / 1024 }));

function withJspdf(): { bytes: number; pages: number } {
  const job = {
    language: 'zh',
    title: '',
    filter: {},
    tz: 'Asia/Shanghai',
    mask: false,
    madeAt: '2026-11-21T09:00:00.000Z',
  } as const;
  const report = createReport(job, readNotoSansSc());
  for (let at = 0; at < records.length; at += 50)
    report.add({ records: records.slice(at, at + 50), pictures: new Map() });
  const { bytes, pages } = report.end();
  return { bytes: bytes.length, pages };
}
