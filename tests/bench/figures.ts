import type { Machine } from './machine.ts';

/** One measured number. */
export interface Figure {
  name: string;
  value: number;
  /** 'ms', 'KB', '/s', or '' for a ratio or a count. */
  unit: string;
  /** The value that the project wants not to exceed. */
  aim?: number;
}

/** What one part of the bench found. */
export interface PartResult {
  part: string;
  /** How it was measured, in one sentence. */
  about: string;
  figures: Figure[];
  /** Whatever else helps to read the figures, a line each. */
  details: string[];
}

export interface BenchResult {
  machine: Machine;
  parts: PartResult[];
}

/** The whole result as a table for people. */
export function toTable({ machine, parts }: BenchResult): string {
  const lines = Object.entries(machine).map(([name, value]) => `${name.padEnd(10)} ${value}`);
  for (const { part, about, figures, details } of parts) {
    const width = Math.max(...figures.map(({ name }) => name.length));
    lines.push('', `── ${part}: ${about}`);
    for (const { name, value, unit, aim } of figures) {
      const shown = `${toText(value)} ${unit}`.trimEnd().padEnd(14);
      const judged = aim === undefined ? '' : `aim ≤ ${aim}: ${value <= aim ? 'met' : 'MISSED'}`;
      lines.push(`  ${name.padEnd(width)}  ${shown}${judged}`.trimEnd());
    }
    lines.push(...details.map((detail) => `    ${detail}`));
  }
  return lines.join('\n');
}

function toText(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(value >= 1000 ? 0 : value >= 10 ? 1 : 2);
}
