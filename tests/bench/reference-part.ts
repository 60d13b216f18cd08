import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chromium } from 'playwright';
import { CHROMIUM_FLAGS, findChromium } from '../find-chromium.ts';
import { type Desk, startDesk, temporaryDataDir } from '../start-desk.ts';
import { createAsker } from './asker.ts';
import { cpuOf, inTurns, residentMb } from './chat-part.ts';
import type { PartResult } from './figures.ts';
import { loadPage } from './page-load.ts';
import { median, percentile } from './statistics.ts';

const root = path.join(import.meta.dirname, '../..');
const TABLE = path.join(import.meta.dirname, 'RELEASES.md');
/** The commit that every release is compared with: always the same one, so that slow changes add up visibly. */
const REFERENCE = '631482aa';
const ROUNDS = 5;
const ASKERS = 16;
const ROUND_SECONDS = 4;

interface Options {
  /** Adds a line to RELEASES.md. */
  isRecorded: boolean;
  log(line: string): void;
}

/** Figures of one round. */
interface Round {
  answersPerSecond: number;
  cpuOfAnswer: number;
  firstToken: number;
  memory: number;
  start: number;
  textarea: number;
}

const NAMES: Record<keyof Round, string> = {
  answersPerSecond: 'answers, 16 askers',
  cpuOfAnswer: 'CPU of an answer',
  firstToken: 'first token of a single asker, p95',
  memory: 'memory after the answers',
  start: 'second start',
  textarea: 'textarea',
};

/**
 * The present state compared with the reference commit, which is installed and built beside it: in every round
 * both are started, asked and loaded one after the other, so that other work on the machine concerns both.
 */
export async function measureAgainstReference({ isRecorded, log }: Options): Promise<PartResult> {
  const folders = { reference: checkOut(log), now: root };
  const rounds: Record<keyof typeof folders, Round[]> = { reference: [], now: [] };
  const data = { reference: await temporaryDataDir(), now: await temporaryDataDir() };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const which of round % 2 ? (['now', 'reference'] as const) : (['reference', 'now'] as const)) {
        const figures = await measureRound(folders[which], data[which].dataDir);
        // The first start writes the data, and the first requests fill caches.
        if (round > 0) rounds[which].push(figures);
        log(`round ${round}/${ROUNDS}, ${which}: ${JSON.stringify(figures)}`);
      }
    }
  } finally {
    await data.reference.remove();
    await data.now.remove();
  }
  const of = (which: keyof typeof rounds, name: keyof Round) => median(rounds[which].map((one) => one[name]));
  const names = Object.keys(NAMES) as (keyof Round)[];
  const ratios = names.map((name) => of('now', name) / of('reference', name));
  if (isRecorded) record(ratios);
  return {
    part: 'reference',
    about: `now ÷ ${REFERENCE}, medians of ${ROUNDS} alternating rounds`,
    figures: names.map((name, at) => ({ name: NAMES[name], value: ratios[at]!, unit: '' })),
    details: names.map(
      (name) => `${NAMES[name]}: ${of('reference', name).toFixed(1)} → ${of('now', name).toFixed(1)}`,
    ),
  };
}

async function measureRound(folder: string, dataDir: string): Promise<Round> {
  const began = performance.now();
  const desk = await startDesk({ folder, dataDir, env: { LOG_LEVEL: 'warn' } });
  try {
    await fetch(`${desk.url}/chatbot/`);
    const start = performance.now() - began;
    const textarea = await textareaOf(desk);
    return { start, textarea, ...(await answersOf(desk)) };
  } finally {
    await desk.stop();
  }
}

async function answersOf({ url, pid }: Desk) {
  const askers = Array.from({ length: ASKERS }, () => createAsker(url));
  try {
    await inTurns(askers, 2, (asker, text) => asker.ask(text));
    const before = cpuOf(pid);
    const { results, seconds } = await inTurns(askers, ROUND_SECONDS, (asker, text) => asker.ask(text));
    const cpuOfAnswer = (cpuOf(pid) - before) / results.length;
    const calm = await inTurns(askers.slice(0, 1), ROUND_SECONDS, (asker, text) => asker.follow(text));
    const firstToken = percentile(
      calm.results.map((one) => one.firstToken),
      0.95,
    );
    return { answersPerSecond: results.length / seconds, cpuOfAnswer, firstToken, memory: residentMb(pid) };
  } finally {
    for (const asker of askers) asker.close();
  }
}

async function textareaOf({ url }: Desk): Promise<number> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_FLAGS });
  try {
    const loads = [1, 2, 3].map(() => () => loadPage(browser, `${url}/chatbot/index`));
    const times: number[] = [];
    for (const load of loads) times.push((await load()).textarea);
    return median(times);
  } finally {
    await browser.close();
  }
}

/** The reference commit with its packages and builds, made once: not in `node_modules`, where Node reads no TypeScript. */
function checkOut(log: (line: string) => void): string {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const folder = path.join(cache, 'consultation-desk', `reference-${REFERENCE}`);
  if (existsSync(path.join(folder, 'node_modules'))) return folder;
  log(`installing ${REFERENCE}`);
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', REFERENCE], { cwd: root, maxBuffer: 2 ** 28 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  const quiet = { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] as ('ignore' | 'inherit')[] };
  execFileSync('npm', ['ci'], quiet);
  execFileSync('npm', ['run', 'build'], quiet);
  return folder;
}

function record(ratios: readonly number[]): void {
  if (!existsSync(TABLE)) {
    const head = ['date', 'commit', ...Object.values(NAMES)];
    appendFileSync(
      TABLE,
      `# Releases compared with ${REFERENCE}\n\nRatios to that commit in the same run: \`npm run bench -- reference --record\`. Above 1 is slower or more, except for\nanswers.\n\n| ${head.join(' | ')} |\n|${' --- |'.repeat(head.length)}\n`,
    );
  }
  const commit = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], {
    cwd: root,
    encoding: 'utf8',
  }).trim();
  const cells = [new Date().toISOString().slice(0, 10), commit, ...ratios.map((ratio) => ratio.toFixed(2))];
  appendFileSync(TABLE, `| ${cells.join(' | ')} |\n`);
}
