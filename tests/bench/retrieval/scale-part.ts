import { statSync } from 'node:fs';
import { join } from 'node:path';
import { startDesk, temporaryDataDir } from '../../start-desk.ts';
import { createAsker } from '../asker.ts';
import { residentMb } from '../chat-part.ts';
import type { Figure, PartResult } from '../figures.ts';
import { percentile } from '../statistics.ts';
import { type Generated, generate } from './generated-documents.ts';
import { openKnowledge } from './open-knowledge.ts';

const QUESTIONS = 240;
/** Maximum duration of indexing; the passages indexed by then are used. */
const LONGEST_MINUTES = 20;
/** Aim for the 95th percentile beside at most 10,000 passages, and beside more. */
const AIM_MS = { few: 50, many: 100 };
const FEW = 10_000;

interface Options {
  passages: number;
  log(line: string): void;
}

/** Measures the time to the first piece with many passages, in the process and through a desk. */
export async function measureManyPassages({ passages, log }: Options): Promise<PartResult> {
  const { dataDir, remove } = await temporaryDataDir();
  try {
    const generated = generate(passages, QUESTIONS);
    const inside = await measureInside(dataDir, generated, log);
    const desk = await measureDesk(dataDir, generated, log);
    const aim = passages > FEW ? AIM_MS.many : AIM_MS.few;
    const times = (name: string, values: readonly number[]): Figure[] => [
      { name: `${name}, p50`, value: percentile(values, 0.5), unit: 'ms' },
      { name: `${name}, p95`, value: percentile(values, 0.95), unit: 'ms', aim },
    ];
    return {
      part: 'retrieval, many passages',
      about: `${inside.written} generated passages beside the handbook, Chinese and English; ${QUESTIONS} questions one after the other, a third of them of common words alone`,
      figures: [
        { name: 'passages indexed', value: inside.written / inside.seconds, unit: '/s' },
        ...times('first piece, inside the process', inside.first),
        { name: 'CPU of an answer, the store included', value: inside.cpu, unit: 'ms' },
        ...times('first piece of POST /api/chat', desk.first),
        { name: 'memory of the desk before its questions', value: desk.memoryBefore, unit: 'MB' },
        { name: 'memory of the desk after', value: desk.memoryAfter, unit: 'MB' },
      ],
      details: [
        `indexing ${inside.written} of ${passages} passages took ${inside.seconds.toFixed(0)} s, data file ${inside.megabytes} MB, this process ${inside.memoryBefore} MB before and ${inside.memoryAfter} MB after`,
      ],
    };
  } finally {
    await remove();
  }
}

async function measureInside(dataDir: string, { documents, questions }: Generated, log: Options['log']) {
  const knowledge = await openKnowledge(dataDir);
  try {
    const memoryBefore = ownMb();
    const start = performance.now();
    const secondsSince = () => (performance.now() - start) / 1000;
    let written = 0;
    let logged = 0;
    for (const document of documents) {
      if (secondsSince() > LONGEST_MINUTES * 60) break;
      written += await knowledge.put(document);
      if (written - logged >= 10_000) {
        logged = written;
        log(`${written} passages after ${secondsSince().toFixed(0)} s`);
      }
    }
    const seconds = secondsSince();
    const memoryAfter = ownMb();
    await knowledge.embeddings.finish();
    log('asking inside the process');
    const first: number[] = [];
    const cpuBefore = process.cpuUsage();
    for (const { question, language } of questions)
      first.push((await knowledge.answer(question, language)).firstPiece);
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpu = (user + system) / 1000 / questions.length;
    const megabytes = Math.round(statSync(join(dataDir, 'store.sqlite')).size / 1e6);
    return { written, seconds, memoryBefore, memoryAfter, megabytes, first, cpu };
  } finally {
    await knowledge.close();
  }
}

async function measureDesk(dataDir: string, { questions }: Generated, log: Options['log']) {
  log('starting a desk on these data');
  const desk = await startDesk({ dataDir, env: { LOG_LEVEL: 'warn' } });
  const asker = createAsker(desk.url);
  try {
    await asker.follow(questions[0]!.question);
    const memoryBefore = residentMb(desk.pid);
    const first: number[] = [];
    for (const { question } of questions) first.push((await asker.follow(question)).firstToken);
    return { first, memoryBefore, memoryAfter: residentMb(desk.pid) };
  } finally {
    asker.close();
    await desk.stop();
  }
}

const ownMb = (): number => Math.round(process.memoryUsage().rss / 2 ** 20);
