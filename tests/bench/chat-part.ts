import { execFileSync } from 'node:child_process';
import { type Asker, createAsker } from './asker.ts';
import type { PartResult } from './figures.ts';
import { QUESTIONS } from './questions.ts';
import { percentile } from './statistics.ts';

const CONNECTIONS = 16;
/** Maximum number of answers of a round, besides its duration. */
const MAX_ANSWERS = 20_000;
const WARM_UP_SECONDS = 1;

interface Options {
  deskUrl: string;
  /** Process id of the server, for measuring its memory. */
  pid: number;
  seconds: number;
  log(line: string): void;
}

/**
 * Answers per second and time to first token of POST /api/chat, on the embedded store without a rate limit.
 */
export async function measureChat({ deskUrl, pid, seconds, log }: Options): Promise<PartResult> {
  const askers = Array.from({ length: CONNECTIONS }, () => createAsker(deskUrl));
  const memoryBefore = residentMb(pid);
  try {
    await inTurns(askers, WARM_UP_SECONDS, (asker, text) => asker.ask(text));
    log(`asking for ${seconds} s`);
    const cpuBefore = cpuOf(pid);
    const asked = await inTurns(askers, seconds, (asker, text) => asker.ask(text));
    const cpu = (cpuOf(pid) - cpuBefore) / asked.results.length;
    log(`following streams for ${seconds} s`);
    const busy = await inTurns(askers, seconds / 2, (asker, text) => asker.follow(text));
    const calm = await inTurns(askers.slice(0, 1), seconds / 2, (asker, text) => asker.follow(text));
    const ms = (name: string, values: number[], share: number) => ({
      name: `${name}, p${share * 100}`,
      value: percentile(values, share),
      unit: 'ms',
    });
    const firstTokens = (round: typeof busy) => round.results.map(({ firstToken }) => firstToken);
    return {
      part: 'chat',
      about: `POST /api/chat on the embedded store, LIMIT_CHAT=0, ${CONNECTIONS} connections, one guest each; client and server share the cores`,
      figures: [
        { name: 'answers', value: asked.results.length / asked.seconds, unit: '/s' },
        ms('answer as JSON', asked.results, 0.5),
        ms('answer as JSON', asked.results, 0.95),
        ms('answer as JSON', asked.results, 0.99),
        { name: 'answers as event streams', value: busy.results.length / busy.seconds, unit: '/s' },
        ms('first token', firstTokens(busy), 0.5),
        ms('first token', firstTokens(busy), 0.95),
        ms('first token, a single asker', firstTokens(calm), 0.5),
        ms('first token, a single asker', firstTokens(calm), 0.95),
        { name: 'CPU of the desk for an answer as JSON', value: cpu, unit: 'ms' },
        { name: 'memory of the desk before', value: memoryBefore, unit: 'MB' },
        { name: 'memory of the desk after', value: residentMb(pid), unit: 'MB' },
      ],
      details: [
        `${asked.results.length} answers as JSON in ${asked.seconds.toFixed(1)} s, ${busy.results.length} streams by ${CONNECTIONS} askers and ${calm.results.length} by one; every answer was validated`,
      ],
    };
  } finally {
    for (const asker of askers) asker.close();
  }
}

interface Round<T> {
  results: T[];
  seconds: number;
}

/** Every asker asks questions sequentially for `seconds`. A failed question aborts the benchmark. */
export async function inTurns<T>(
  askers: Asker[],
  seconds: number,
  question: (asker: Asker, text: string) => Promise<T>,
): Promise<Round<T>> {
  const results: T[] = [];
  const start = performance.now();
  const isOver = () => performance.now() - start >= seconds * 1000 || results.length >= MAX_ANSWERS;
  let next = 0;
  await Promise.all(
    askers.map(async (asker) => {
      while (!isOver()) results.push(await question(asker, QUESTIONS[next++ % QUESTIONS.length]!));
    }),
  );
  return { results, seconds: (performance.now() - start) / 1000 };
}

export function residentMb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;
}

/**
 * CPU time used by a process with all its threads, in ms. More meaningful than wall-clock time on a busy
 * machine.
 */
export function cpuOf(pid: number): number {
  const time = execFileSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(time) * 1000;
}
