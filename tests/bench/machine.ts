import { execFileSync } from 'node:child_process';
import os from 'node:os';
import { findChromium } from '../find-chromium.ts';

/** Properties of the machine that affect the figures. */
export interface Machine {
  date: string;
  cpu: string;
  memory: string;
  system: string;
  node: string;
  chromium: string;
  /**
   * Average number of busy processes in the last minute, before the benchmark: above a few tenths the figures
   * are too high.
   */
  load: string;
}

export function describeMachine(): Machine {
  const cpus = os.cpus();
  return {
    date: new Date().toISOString(),
    cpu: `${cpus.length} × ${cpus[0]?.model ?? 'unknown'}`,
    memory: `${Math.round(os.totalmem() / 2 ** 30)} GB`,
    system: `${os.type()} ${os.release()} ${os.arch()}`,
    node: process.version,
    chromium: chromiumVersion(),
    load: os.loadavg()[0]!.toFixed(2),
  };
}

function chromiumVersion(): string {
  return execFileSync(findChromium(), ['--version'], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();
}
