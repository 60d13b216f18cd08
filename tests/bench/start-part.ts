import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import path from 'node:path';
import { freePort } from '../start-desk.ts';
import type { PartResult } from './figures.ts';
import { median } from './statistics.ts';

const root = path.join(import.meta.dirname, '../..');
const STARTS = 5;
const PATIENCE_MS = 30_000;
const POLL_MS = 5;

/** Time until `npm start` serves /chatbot/ if everything is built and `dataDir` has been used before. */
export async function measureSecondStart(dataDir: string, log: (line: string) => void): Promise<PartResult> {
  const times: number[] = [];
  for (let count = 1; count <= STARTS; count += 1) {
    times.push(await startOnce(dataDir));
    log(`start ${count}/${STARTS}: ${Math.round(times.at(-1)!)} ms`);
  }
  return {
    part: 'start',
    about: `from npm start to the first page of /chatbot/, with builds and data in place; ${STARTS} starts`,
    figures: [
      { name: 'second start, median', value: median(times), unit: 'ms', aim: 2000 },
      { name: 'second start, slowest', value: Math.max(...times), unit: 'ms' },
    ],
    details: [`each: ${times.map(Math.round).join(', ')} ms`],
  };
}

async function startOnce(dataDir: string): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  // In a process group, so that npm and its children end together.
  const npm = spawn('npm', ['start'], {
    cwd: root,
    env: { ...process.env, PORT: String(port), DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let printed = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  const ended = once(npm, 'exit');
  try {
    while (!(await isServed(`http://127.0.0.1:${port}/chatbot/`))) {
      const isLate = performance.now() - start > PATIENCE_MS;
      if (isLate || npm.exitCode !== null)
        throw new Error(`npm start must serve /chatbot/, it printed:\n${printed}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
    return performance.now() - start;
  } finally {
    if (npm.exitCode === null && npm.pid) process.kill(-npm.pid, 'SIGINT');
    await ended;
  }
}

function isServed(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    request.on('error', () => resolve(false));
  });
}
