import { workerData } from 'node:worker_threads';

/** Interval in ms: allocating a gigabyte takes several of these. */
const interval = 50;

const { maxMb, parent } = workerData as { maxMb: number; parent: number };

setInterval(() => {
  const isTooMuch = process.memoryUsage.rss() > maxMb * 1024 * 1024;
  if (isTooMuch || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, interval);
