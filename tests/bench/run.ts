/**
 * `npm run bench`: measures the project's performance targets in one run. `npm run bench -- page chat start
 * compose store pdf` selects parts; `--runs 9` sets the number of page loads, `--seconds 10` the duration of
 * a chat round, `--records 10000,100000` the sizes of the searched archives, `--erase 100000` the size of the
 * deletion, `--set dev` the questions of `retrieval`; `--locked` uses the locked set of `company`,
 * `--embeddings http://…/v1` adds an embeddings endpoint, `--ablate` repeats it without each stage of
 * retrieval, `--among` asks it among 10,000 foreign passages, `--misses` lists the failed questions, `--passages 100000` sets its size; `--json` prints only
 * JSON. `reference` compares with a fixed commit; `--record` adds the ratios to RELEASES.md. `files --from
 * folder,folder` compares the text of the documents below these folders. `scale --size 100000` sets the number of records of all owners, by
 * default a million.
 */
import { parseArgs } from 'node:util';
import { OPS } from '../e2e/deploy.ts';
import { startDesk, temporaryDataDir } from '../start-desk.ts';
import { measureChat } from './chat-part.ts';
import { measureComposing } from './compose-part.ts';
import { measureDeletion } from './deletion-part.ts';
import { type PartResult, toTable } from './figures.ts';
import { measureFiles } from './files/files-part.ts';
import { describeMachine } from './machine.ts';
import { measurePages } from './page-part.ts';
import { measurePdf } from './pdf-part.ts';
import { measureAgainstReference } from './reference-part.ts';
import { measureCompany } from './retrieval/company/company-part.ts';
import { measureRetrieval } from './retrieval/retrieval-part.ts';
import { measureManyPassages } from './retrieval/scale-part.ts';
import { measureScale } from './scale-part.ts';
import { measureSearch } from './search-part.ts';
import { measureSecondStart } from './start-part.ts';
import { measureStore } from './store-part.ts';

const PARTS = [
  'page',
  'chat',
  'start',
  'compose',
  'store',
  'search',
  'deletion',
  'pdf',
  'retrieval',
  'company',
  'reference',
  'files',
  'scale',
] as const;
type Part = (typeof PARTS)[number];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '9' },
    seconds: { type: 'string', default: '10' },
    records: { type: 'string', default: '10000,100000' },
    erase: { type: 'string', default: '100000' },
    set: { type: 'string', default: 'dev,test' },
    embeddings: { type: 'string' },
    misses: { type: 'boolean', default: false },
    locked: { type: 'boolean', default: false },
    ablate: { type: 'boolean', default: false },
    among: { type: 'boolean', default: false },
    passages: { type: 'string' },
    record: { type: 'boolean', default: false },
    from: { type: 'string' },
    size: { type: 'string', default: '1000000' },
    json: { type: 'boolean', default: false },
  },
});
const runs = wholeNumber('--runs', values.runs, 50);
const seconds = wholeNumber('--seconds', values.seconds, 60);
const sizes = values.records.split(',').map((size) => wholeNumber('--records', size, 5_000_000));
const size = wholeNumber('--size', values.size, 5_000_000);
const toDelete = wholeNumber('--erase', values.erase, 5_000_000);
const sets = (['dev', 'test'] as const).filter((set) => values.set.split(',').includes(set));
if (sets.length === 0) throw new Error(`--set must be dev, test or both, got ${JSON.stringify(values.set)}`);
const passages = values.passages === undefined ? null : wholeNumber('--passages', values.passages, 1_000_000);
const unknown = positionals.filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) throw new Error(`parts are ${PARTS.join(', ')}, got ${unknown.join(', ')}`);
/** The reference commit and the documents have to be fetched first, and a million records take long: only on request. */
const onRequest: readonly Part[] = ['reference', 'files', 'scale'];
const isChosen = (part: Part) =>
  positionals.includes(part) || (positionals.length === 0 && !onRequest.includes(part));
if (isChosen('files') && values.from === undefined)
  throw new Error('files needs --from with the folders to read');
const log = (line: string) => console.error(`  ${line}`);

const machine = describeMachine();
const { dataDir, remove } = await temporaryDataDir();
const parts: PartResult[] = [];
try {
  if (isChosen('page') || isChosen('chat') || isChosen('start')) await withDesk();
  if (isChosen('start')) parts.push(await measureSecondStart(dataDir, log));
  if (isChosen('compose')) parts.push(await measureComposing(log));
  if (isChosen('store')) parts.push(await measureStore(log));
  if (isChosen('search')) parts.push(await measureSearch({ sizes, log }));
  if (isChosen('deletion')) parts.push(await measureDeletion({ records: toDelete, log }));
  if (isChosen('pdf')) parts.push(await measurePdf(log));
  if (isChosen('retrieval') && passages === null)
    parts.push(...(await measureRetrieval({ sets, listsMisses: values.misses, log })));
  if (isChosen('retrieval') && passages !== null) parts.push(await measureManyPassages({ passages, log }));
  if (isChosen('company'))
    parts.push(
      await measureCompany({
        set: values.locked ? 'locked' : 'dev',
        listsMisses: values.misses,
        embeddings: values.embeddings,
        isAblated: values.ablate && !values.locked,
        isEmbedded: values.among,
        log,
      }),
    );
  if (isChosen('files')) parts.push(...(await measureFiles({ folders: values.from!.split(','), log })));
  if (isChosen('scale')) parts.push(...(await measureScale({ records: size, log })));
  if (isChosen('reference')) parts.push(await measureAgainstReference({ isRecorded: values.record, log }));
} finally {
  await remove();
}
const result = { machine, parts };
console.log(values.json ? JSON.stringify(result, null, 2) : toTable(result));

/** One server for the parts that need a running one; the second start then uses its data. */
async function withDesk(): Promise<void> {
  log('starting a server');
  const desk = await startDesk({ dataDir, env: { LOG_LEVEL: 'warn', ...OPS } });
  const deskUrl = desk.url;
  try {
    if (isChosen('page')) parts.push(await measurePages({ desk, runs, log }));
    if (isChosen('chat')) parts.push(await measureChat({ deskUrl, pid: desk.pid, seconds, log }));
  } finally {
    await desk.stop();
  }
}

function wholeNumber(name: string, text: string, max: number): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > max)
    throw new Error(`${name} must be 1–${max}, got ${JSON.stringify(text)}`);
  return value;
}
